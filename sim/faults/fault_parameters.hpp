#pragma once

#include <string>
#include <vector>

namespace kvarium {

/// Settings of any fault model; each model lists the ones it takes, the others keep their defaults.
struct FaultParameters {
  std::string tensor = "any";       ///< tensor struck: key, value, or either
  std::string bits = "any";         ///< part of an element struck: sign, exponent, mantissa, or any bit
  std::string permutation = "any";  ///< kind of permutation, or one drawn in each trial

  bool operator==(const FaultParameters&) const = default;
};

/// One setting as a reader of configurations sees it.
struct FaultParameterInfo {
  std::string name;
  std::string description;
  std::vector<std::string> allowed;  ///< the default comes first
  std::string FaultParameters::*member = nullptr;

  const std::string& default_value() const { return allowed.front(); }
};

/// All settings, in the order of FaultParameters.
const std::vector<FaultParameterInfo>& fault_parameter_infos();

/// The setting called `name`. Errors: InputError that lists the known names.
const FaultParameterInfo& fault_parameter_info(const std::string& name);

}  // namespace kvarium

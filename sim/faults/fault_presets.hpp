#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/faults/fault_parameters.hpp"

namespace kvarium {

/// A fault with settings that something measured or reported gives it.
struct FaultPreset {
  std::string name;
  std::string model;  ///< a name of fault_models()
  FaultParameters parameters;
  std::string description;
  std::string source;  ///< where the settings come from
};

/// Every preset, by what it comes from: memories, transfers, software.
const std::vector<FaultPreset>& fault_presets();

/// Their names.
std::vector<std::string> fault_preset_names();

/// Errors: InputError that lists the known names.
const FaultPreset& fault_preset(std::string_view name);

}  // namespace kvarium

#include "sim/faults/fault_parameters.hpp"

#include "core/check.hpp"
#include "sim/faults/block_permutation.hpp"

namespace kvarium {
namespace {

std::vector<std::string> any_or(const std::vector<std::string>& names) {
  std::vector<std::string> allowed{"any"};
  allowed.insert(allowed.end(), names.begin(), names.end());
  return allowed;
}

}  // namespace

const std::vector<FaultParameterInfo>& fault_parameter_infos() {
  static const std::vector<FaultParameterInfo> infos{
      {"tensor", "tensor struck", {"any", "key", "value"}, &FaultParameters::tensor},
      {"bits", "part of an element struck", {"any", "sign", "exponent", "mantissa"}, &FaultParameters::bits},
      {"permutation", "kind of permutation; any: one drawn in each trial", any_or(block_permutation_names()),
       &FaultParameters::permutation}};
  return infos;
}

const FaultParameterInfo& fault_parameter_info(const std::string& name) {
  std::vector<std::string> known;
  for (const FaultParameterInfo& info : fault_parameter_infos()) {
    if (info.name == name) return info;
    known.push_back(info.name);
  }
  throw InputError(concatenate("unknown fault parameter '", name, "'; use one of ", join(known)));
}

}  // namespace kvarium

#include "sim/faults/fault_model.hpp"

#include <algorithm>

namespace kvarium {

void register_fault_models(Registry<FaultModel>& registry);

const Registry<FaultModel>& fault_models() {
  static const Registry<FaultModel> registry = [] {
    Registry<FaultModel> models("fault model");
    register_fault_models(models);
    return models;
  }();
  return registry;
}

std::vector<std::string> fault_parameter_problems(std::string_view name, const FaultParameters& parameters) {
  const std::vector<std::string> taken = fault_models().at(name).traits().parameter_names;
  std::vector<std::string> problems;
  for (const FaultParameterInfo& info : fault_parameter_infos()) {
    const std::string& value = parameters.*info.member;
    if (std::ranges::find(info.allowed, value) == info.allowed.end()) {
      problems.push_back(concatenate(info.name, " '", value, "' is unknown; use one of ", join(info.allowed)));
    } else if (value != info.default_value() && std::ranges::find(taken, info.name) == taken.end()) {
      problems.push_back(concatenate("fault model ", name, " takes no ", info.name, " (it takes ",
                                     taken.empty() ? "none" : join(taken), "); remove it"));
    }
  }
  return problems;
}

FaultOutcome inject_fault(std::string_view name, const FaultTarget& target, const FaultParameters& parameters,
                          CounterRandom& random) {
  const std::vector<std::string> problems = fault_parameter_problems(name, parameters);
  KVARIUM_VALIDATE(problems.empty(), problems.front());
  FaultOutcome outcome = fault_models().at(name).inject(target, parameters, random);
  if (outcome.record) outcome.record->model = name;
  return outcome;
}

}  // namespace kvarium

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
    const std::string problem = info.problem(parameters);
    if (!problem.empty()) {
      problems.push_back(problem);
    } else if (!info.is_default(parameters) && std::ranges::find(taken, info.name) == taken.end()) {
      problems.push_back(concatenate("fault model ", name, " takes no ", info.name, " (it takes ",
                                     taken.empty() ? "none" : join(taken), "); remove it"));
    }
  }
  return problems;
}

std::string fault_stage_problem(std::string_view name, FaultStage stage) {
  const std::vector<FaultStage> stages = fault_models().at(name).traits().stages;
  if (std::ranges::find(stages, stage) != stages.end()) return {};
  std::vector<std::string> names;
  for (const FaultStage known : stages) names.push_back(to_string(known));
  return concatenate("fault model '", name, "' does not strike at ", to_string(stage), "; use ", join(names, " or "));
}

FaultInjector::FaultInjector(std::string_view name, const FaultParameters& parameters, const FaultTarget& target)
    : name_(name), parameters_(parameters), model_(fault_models().at(name)), injection_(target) {
  const std::vector<std::string> problems = fault_parameter_problems(name, parameters);
  KVARIUM_VALIDATE(problems.empty(), problems.front());
}

const Injection& FaultInjector::inject(const CounterRandom& random) {
  injection_.begin(name_, parameters_, random);
  if (injection_.is_applicable()) model_.inject(injection_);
  return injection_;
}

FaultOutcome inject_fault(std::string_view name, const FaultTarget& target, const FaultParameters& parameters,
                          const CounterRandom& random) {
  FaultInjector injector(name, parameters, target);
  return injector.inject(random).outcome();
}

}  // namespace kvarium

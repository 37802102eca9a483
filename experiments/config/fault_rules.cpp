#include "experiments/config/fault_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"
#include "sim/faults/fault_model.hpp"
#include "sim/faults/fault_presets.hpp"

namespace kvarium {
namespace {

/// Settings the model called `name` takes.
std::vector<std::string> taken_settings(const std::string& name) {
  if (name == "none") return {};
  return fault_models().at(name).traits().parameter_names;
}

std::optional<std::string> setting_problem(const FaultParameterInfo& setting, const FaultConfig& fault) {
  if (setting.is_default(fault.parameters)) return {};
  const std::string value = setting.text(fault.parameters);
  if (fault.preset != "none") {
    return fmt::format("preset '{}' has its own settings, so '{}' ({}) has no place; remove one of them", fault.preset,
                       setting.name, value);
  }
  const std::vector<std::string> taken = taken_settings(fault.model);
  if (std::find(taken.begin(), taken.end(), setting.name) != taken.end()) return {};
  const std::string allowed = taken.empty() ? "no settings" : "only " + join(taken);
  return fmt::format("fault model '{}' takes no '{}' ({}); it takes {}", fault.model, setting.name, value, allowed);
}

std::optional<std::string> preset_problem(const FaultConfig& fault) {
  if (fault.preset == "none" || fault.model == "none") return {};
  return fmt::format("preset '{}' and model '{}' are both given; remove one of them", fault.preset, fault.model);
}

std::optional<std::string> stage_problem(const FaultConfig& fault) {
  const FaultConfig resolved = resolved_fault(fault);
  if (resolved.model == "none") return {};
  const std::string problem = fault_stage_problem(resolved.model, resolved.stage);
  return problem.empty() ? std::nullopt : std::optional(problem);
}

}  // namespace

std::vector<CombinationRule> fault_rules() {
  std::vector<CombinationRule> rules{
      {{"fault.preset", "fault.model"}, [](const BaseConfig& base) { return preset_problem(base.fault); }},
      {{"fault.stage", "fault.model", "fault.preset"},
       [](const BaseConfig& base) { return stage_problem(base.fault); }}};
  for (const FaultParameterInfo& setting : fault_parameter_infos()) {
    rules.push_back({{"fault." + setting.name, "fault.model", "fault.preset"},
                     [&setting](const BaseConfig& base) { return setting_problem(setting, base.fault); }});
  }
  return rules;
}

FaultConfig resolved_fault(const FaultConfig& fault) {
  if (fault.preset == "none" || fault.model != "none" || !(fault.parameters == FaultParameters{})) return fault;
  const FaultPreset& preset = fault_preset(fault.preset);
  FaultConfig resolved = fault;
  resolved.preset = "none";
  resolved.model = preset.model;
  resolved.parameters = preset.parameters;
  return resolved;
}

}  // namespace kvarium

#include "experiments/config/fault_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"
#include "sim/faults/fault_model.hpp"

namespace kvarium {
namespace {

/// Settings the model called `name` takes.
std::vector<std::string> taken_settings(const std::string& name) {
  if (name == "none") return {};
  return fault_models().at(name).traits().parameter_names;
}

std::optional<std::string> setting_problem(const FaultParameterInfo& setting, const FaultConfig& fault) {
  const std::string& value = fault.parameters.*setting.member;
  const std::vector<std::string> taken = taken_settings(fault.model);
  const bool is_taken = std::find(taken.begin(), taken.end(), setting.name) != taken.end();
  if (is_taken || value == setting.default_value()) return {};
  const std::string allowed = taken.empty() ? "no settings" : "only " + join(taken);
  return fmt::format("fault model '{}' takes no '{}' ({}); it takes {}", fault.model, setting.name, value, allowed);
}

}  // namespace

std::vector<CombinationRule> fault_rules() {
  std::vector<CombinationRule> rules;
  for (const FaultParameterInfo& setting : fault_parameter_infos()) {
    rules.push_back({{"fault." + setting.name, "fault.model"},
                     [&setting](const BaseConfig& base) { return setting_problem(setting, base.fault); }});
  }
  return rules;
}

}  // namespace kvarium

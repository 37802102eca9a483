#include "experiments/run/archived_config.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/check.hpp"
#include "experiments/config/experiment_json.hpp"
#include "experiments/plan/load_experiment.hpp"

namespace kvarium {

namespace {

using Json = nlohmann::ordered_json;

Json plan_json(const Plan& plan) {
  Json keys = Json::array();
  for (const Field* field : plan.swept_fields()) keys.push_back(field->path);
  const ExperimentConfig& experiment = plan.experiment();
  return {{"fingerprint", plan.fingerprint()},
          {"name", experiment.name},
          {"kind", experiment.point.kind},
          {"num_points", plan.num_points()},
          {"swept_keys", std::move(keys)}};
}

/// "/base/cache/layout" as users write it: "base.cache.layout".
std::string dotted(const std::string& pointer) {
  std::string path = pointer.substr(1);
  for (char& letter : path) {
    if (letter == '/') letter = '.';
  }
  return path;
}

std::string value_text(const Json& values, const std::string& key) {
  return values.contains(key) ? values.at(key).dump() : "nothing";
}

}  // namespace

Json archived_json(const std::string& text) {
  constexpr int deepest = 32;
  bool is_too_deep = false;
  const auto watch = [&](int depth, Json::parse_event_t, Json&) {
    is_too_deep = is_too_deep || depth > deepest;
    return !is_too_deep;
  };
  Json json = Json::parse(text, watch, false);
  return is_too_deep || json.is_discarded() ? Json() : json;
}

ArchivedConfig archived_config(const Plan& plan, const std::vector<std::string>& arguments) {
  const ExperimentConfig& experiment = plan.experiment();
  return {experiment.yaml_text, experiment_json(experiment).dump(), plan_json(plan).dump(), arguments,
          experiment.overrides};
}

std::string archived_fingerprint(const std::string& place, const ArchivedConfig& config) {
  const Json plan = archived_json(config.plan_json);
  const bool is_readable = plan.is_object() && plan.contains("fingerprint") && plan.at("fingerprint").is_string();
  KVARIUM_VALIDATE(is_readable, place, ": '/config/plan_json' is damaged; choose another output");
  return plan.at("fingerprint").get<std::string>();
}

Plan archived_plan(const std::string& place, const ArchivedConfig& config, const std::filesystem::path& folder) {
  Plan plan(parse_experiment({config.yaml, place + ":/config/yaml", folder, config.overrides}));
  KVARIUM_VALIDATE(plan.fingerprint() == archived_fingerprint(place, config), place,
                   ": its YAML text gives another plan than it was made for; use the kvarium version that wrote it");
  return plan;
}

std::vector<std::string> config_differences(const std::string& archived, const std::string& current) {
  const Json held = archived_json(archived);
  if (!held.is_object()) return {"the archive's configuration is damaged"};
  const Json old_values = held.flatten();
  const Json new_values = archived_json(current).flatten();
  Json all = old_values;
  all.update(new_values);
  std::vector<std::string> lines;
  for (const auto& [key, unused] : all.items()) {
    const std::string was = value_text(old_values, key);
    const std::string is = value_text(new_values, key);
    if (was != is) lines.push_back(fmt::format("{}: {} in the archive, {} now", dotted(key), was, is));
  }
  return lines;
}

}  // namespace kvarium

#include "experiments/config/experiment_json.hpp"

#include <nlohmann/json.hpp>

#include "experiments/config/field_json.hpp"
#include "experiments/config/field_table.hpp"

namespace kvarium {
namespace {

using Json = nlohmann::ordered_json;

Json values_json(const std::vector<FieldValue>& values) {
  Json items = Json::array();
  for (const FieldValue& value : values) std::visit([&](const auto& item) { items.push_back(item); }, value);
  return items;
}

Json keys_and_values(const std::vector<std::string>& paths, const std::vector<std::vector<FieldValue>>& rows) {
  Json values = Json::array();
  for (const std::vector<FieldValue>& row : rows) values.push_back(values_json(row));
  return {{"keys", paths}, {"values", std::move(values)}};
}

Json sample_json(const SweepSample& sample) {
  Json json{{"method", to_string(sample.method)}, {"count", sample.count}};
  if (sample.seed) json["seed"] = *sample.seed;
  return json;
}

/// Axes, then what changes their product, then points of their own.
Json sweep_json(const Sweep& sweep) {
  Json steps = Json::array();
  for (const SweepAxis& axis : sweep.axes) steps.push_back(keys_and_values(axis.paths, axis.values));
  for (const SweepExclusion& rule : sweep.exclude) {
    steps.push_back({{"exclude", keys_and_values(rule.paths, rule.values)}});
  }
  if (sweep.sample) steps.push_back({{"sample", sample_json(*sweep.sample)}});
  for (const SweepRow& row : sweep.list) steps.push_back({{"list", keys_and_values(row.paths, {row.values})}});
  return steps;
}

Json all_values(ExperimentConfig& experiment) {
  const std::vector<FieldPointer> members = field_pointers(experiment);
  const std::vector<Field>& fields = experiment_fields().fields();
  Json json = Json::object();
  for (std::size_t i = 0; i < fields.size(); ++i) place_value(json, fields[i].path, get_value(members[i]));
  return json;
}

}  // namespace

Json experiment_json(const ExperimentConfig& experiment) {
  ExperimentConfig copy = experiment;
  Json json = all_values(copy);
  json["sweep"] = sweep_json(experiment.sweep);
  return json;
}

Json point_json(const PointConfig& point) {
  ExperimentConfig experiment;
  experiment.point = point;
  Json json = all_values(experiment);
  json.erase("schema");
  json.erase("name");
  return json;
}

}  // namespace kvarium

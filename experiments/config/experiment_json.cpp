#include "experiments/config/experiment_json.hpp"

#include <nlohmann/json.hpp>

#include "experiments/config/field_json.hpp"
#include "experiments/config/field_table.hpp"

namespace kvarium {
namespace {

using Json = nlohmann::ordered_json;

Json axis_json(const SweepAxis& axis) {
  Json values = Json::array();
  for (const std::vector<FieldValue>& row : axis.values) {
    Json items = Json::array();
    for (const FieldValue& value : row) std::visit([&](const auto& item) { items.push_back(item); }, value);
    values.push_back(std::move(items));
  }
  return {{"keys", axis.paths}, {"values", std::move(values)}};
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
  Json axes = Json::array();
  for (const SweepAxis& axis : experiment.sweep) axes.push_back(axis_json(axis));
  json["sweep"] = std::move(axes);
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

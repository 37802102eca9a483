#include "experiments/plan/experiment_schema.hpp"

#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "experiments/config/field_table.hpp"
#include "experiments/config/section_reader.hpp"
#include "experiments/plan/sweep_reader.hpp"
#include "experiments/plan/sweep_sample.hpp"
#include "experiments/plan/value_series.hpp"

namespace kvarium {
namespace {

using Json = nlohmann::ordered_json;

std::string type_name(FieldType type) {
  switch (type) {
    case FieldType::boolean:
      return "boolean";
    case FieldType::integer:
      return "integer";
    case FieldType::number:
      return "number";
    case FieldType::text:
      return "string";
  }
  return "string";
}

Json value_json(const FieldValue& value) {
  return std::visit([](const auto& item) { return Json(item); }, value);
}

/// Integers that the key's own check allows; empty when they go on past the numbers looked at.
std::vector<std::int64_t> allowed_integers(const FieldInfo& info) {
  constexpr std::int64_t most = 1024;
  std::vector<std::int64_t> allowed;
  for (std::int64_t value = 0; value <= most; ++value) {
    const auto number = static_cast<double>(value);
    if (number >= info.minimum && number <= info.maximum && !info.problem(value)) allowed.push_back(value);
  }
  return allowed.empty() || allowed.back() > most / 2 ? std::vector<std::int64_t>{} : allowed;
}

std::string description_of(const FieldInfo& info) {
  std::string text(info.description);
  if (!info.unit.empty() && info.unit != "1") text += " (" + std::string(info.unit) + ")";
  if (!info.rule.empty()) text += "; " + std::string(info.rule);
  return text;
}

Json leaf(const Field& field) {
  const FieldInfo& info = field.info;
  Json schema{{"description", description_of(info)}, {"type", type_name(field.type)}};
  if (info.choices != nullptr) schema["enum"] = info.choices();
  if (field.type == FieldType::integer && info.problem != nullptr) {
    if (const auto allowed = allowed_integers(info); !allowed.empty()) schema["enum"] = allowed;
  }
  const auto bound = [&](const char* name, double value) {
    if (std::isinf(value)) return;
    schema[name] = field.type == FieldType::integer ? Json(static_cast<std::int64_t>(value)) : Json(value);
  };
  bound("minimum", info.minimum);
  bound("maximum", info.maximum);
  if (!info.required) schema["default"] = value_json(field.default_value);
  return schema;
}

Json object(Json properties) {
  return {{"type", "object"}, {"additionalProperties", false}, {"properties", std::move(properties)}};
}

Json reference(const std::string& name) { return {{"$ref", "#/$defs/" + name}}; }

Json list_of(Json items) { return {{"type", "array"}, {"minItems", 1}, {"items", std::move(items)}}; }

Json any_of(Json first, Json second) { return {{"anyOf", Json::array({std::move(first), std::move(second)})}}; }

/// A map from paths into `base` to what `value` makes of each key.
Json swept_keys(const std::function<Json(const Field&)>& value) {
  Json properties = Json::object();
  for (const Field& field : base_fields().fields()) properties[field.path] = value(field);
  Json schema = object(std::move(properties));
  schema["minProperties"] = 1;
  return schema;
}

Json values_of_axis(const Field& field) {
  Json list = list_of(reference("row/properties/" + field.path));
  const bool is_number = field.type == FieldType::integer || field.type == FieldType::number;
  return is_number ? any_of(std::move(list), reference("series")) : list;
}

Json excluded_values(const Field& field) {
  return any_of(reference("row/properties/" + field.path), reference("axes/properties/" + field.path));
}

Json series_schema() {
  Json properties = Json::object();
  for (const SeriesForm& form : value_series_forms()) {
    properties[form.name] = {{"description", form.form},
                             {"type", "array"},
                             {"items", {{"type", "number"}}},
                             {"minItems", form.fewest_arguments},
                             {"maxItems", form.most_arguments}};
  }
  Json schema = object(std::move(properties));
  schema["minProperties"] = 1;
  schema["maxProperties"] = 1;
  return schema;
}

Json sample_schema() {
  Json properties = Json::object();
  Json required = Json::array();
  for (const Field& field : sample_fields()) {
    properties[field.path] = leaf(field);
    properties[field.path].erase("default");
    if (field.info.required) required.push_back(field.path);
  }
  Json schema = object(std::move(properties));
  schema["required"] = std::move(required);
  return schema;
}

Json sweep_schema() {
  std::map<std::string, Json> forms{{"grid", reference("axes")},
                                    {"zip", list_of(any_of(reference("axes"), list_of(reference("row"))))},
                                    {"exclude", list_of(reference("exclusion"))},
                                    {"sample", sample_schema()},
                                    {"list", list_of(reference("row"))}};
  Json properties = Json::object();
  for (const SweepKey& key : sweep_keys()) {
    properties[key.name] = std::move(forms.at(key.name));
    properties[key.name]["description"] = key.description;
  }
  return object(std::move(properties));
}

/// Keys below a section of the file; those of `base` stand once, among the definitions.
Json section_schema(const std::string& section) {
  const FieldTable& table = experiment_fields();
  Json properties = Json::object();
  for (const std::string& name : table.children(section)) {
    const std::string path = section.empty() ? name : section + "." + name;
    const std::ptrdiff_t field = table.find(path);
    if (field < 0) {
      properties[name] = section_schema(path);
    } else if (path.starts_with("base.")) {
      properties[name] = reference("row/properties/" + path.substr(5));
    } else {
      properties[name] = leaf(table.fields()[static_cast<std::size_t>(field)]);
    }
  }
  const std::string shorthand = shorthand_key(section);
  if (shorthand.empty()) return object(std::move(properties));
  Json plain = leaf(table.fields()[static_cast<std::size_t>(table.find(shorthand))]);
  return any_of(object(std::move(properties)), std::move(plain));
}

Json required_keys() {
  Json required = Json::array();
  for (const Field& field : experiment_fields().fields()) {
    if (field.info.required) required.push_back(field.path);
  }
  return required;
}

}  // namespace

Json experiment_schema_json() {
  Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
              {"title", "kvarium experiment"},
              {"description", "An experiment file of kvarium; printed by `kvarium list schema`"}};
  schema.update(section_schema(""));
  schema["properties"]["sweep"] = sweep_schema();
  schema["properties"]["extends"] = {{"description",
                                      "experiment file, relative to this one, whose keys hold where this "
                                      "one has none"},
                                     {"type", "string"},
                                     {"minLength", 1}};
  // A parent may hold what is required.
  schema["anyOf"] = Json::array({{{"required", {"extends"}}}, {{"required", required_keys()}}});
  schema["$defs"] = {{"row", swept_keys(leaf)},
                     {"axes", swept_keys(values_of_axis)},
                     {"exclusion", swept_keys(excluded_values)},
                     {"series", series_schema()}};
  return schema;
}

}  // namespace kvarium

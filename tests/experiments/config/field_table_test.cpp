#include "experiments/config/field_table.hpp"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "experiments/config/experiment_json.hpp"

using namespace kvarium;

namespace {

/// Another value than the default that the field allows.
FieldValue other_value(const Field& field) {
  switch (field.type) {
    case FieldType::boolean:
      return !std::get<bool>(field.default_value);
    case FieldType::integer:
      return std::get<std::int64_t>(field.default_value) * 2 + 8;
    case FieldType::number:
      return std::get<double>(field.default_value) + 0.25;
    case FieldType::text:
      break;
  }
  if (!field.info.choices) return std::string("another");
  for (const std::string& choice : field.info.choices()) {
    if (FieldValue(choice) != field.default_value) return choice;
  }
  return field.default_value;
}

}  // namespace

TEST_CASE("every key has a description and a name of its own", "[experiments][config]") {
  std::set<std::string> paths;
  for (const Field& field : experiment_fields().fields()) {
    CAPTURE(field.path);
    CHECK_FALSE(field.info.description.empty());
    CHECK(paths.insert(field.path).second);
  }
  CHECK(paths.contains("base.cache.layout"));
  CHECK(paths.contains("replicates.count"));
}

TEST_CASE("defaults satisfy the bounds and choices of their own keys", "[experiments][config]") {
  for (const Field& field : base_fields().fields()) {
    CAPTURE(field.path);
    if (field.info.choices) {
      const auto choices = field.info.choices();
      CHECK(std::count(choices.begin(), choices.end(), std::get<std::string>(field.default_value)) == 1);
    }
    if (field.info.problem != nullptr) CHECK_FALSE(field.info.problem(field.default_value).has_value());
  }
}

TEST_CASE("each key sets and gets its own member and no other", "[experiments][config]") {
  const std::vector<Field>& fields = base_fields().fields();
  for (std::size_t changed = 0; changed < fields.size(); ++changed) {
    BaseConfig base;
    const std::vector<FieldPointer> members = field_pointers(base);
    REQUIRE(members.size() == fields.size());
    const FieldValue value = other_value(fields[changed]);
    set_value(members[changed], value);
    for (std::size_t i = 0; i < fields.size(); ++i) {
      CAPTURE(fields[changed].path, fields[i].path);
      CHECK(get_value(members[i]) == (i == changed ? value : fields[i].default_value));
    }
  }
}

TEST_CASE("an experiment as JSON holds every key, defaults included", "[experiments][config]") {
  ExperimentConfig experiment;
  experiment.point.kind = "decode_attention";

  const nlohmann::ordered_json json = experiment_json(experiment);

  for (const Field& field : experiment_fields().fields()) {
    std::string pointer = "/" + field.path;
    for (char& letter : pointer) letter = letter == '.' ? '/' : letter;
    CAPTURE(pointer);
    CHECK(json.contains(nlohmann::ordered_json::json_pointer(pointer)));
  }
  CHECK(json.at("base").at("cache").at("layout") == "split_x");
  CHECK(json.at("sweep").empty());
}

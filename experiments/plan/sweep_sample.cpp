#include "experiments/plan/sweep_sample.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/config/value_reader.hpp"
#include "experiments/plan/plan_limits.hpp"
#include "experiments/yaml/quoted_text.hpp"
#include "experiments/yaml/yaml_scalar.hpp"

namespace kvarium {
namespace {

const char* const form = "write 'sample: {method: latin_hypercube, count: 100}'";

std::vector<std::string> key_names() {
  std::vector<std::string> names;
  for (const Field& field : sample_fields()) names.push_back(field.path);
  return names;
}

bool is_key(const std::string& name) {
  return std::ranges::any_of(sample_fields(), [&](const Field& field) { return field.path == name; });
}

void assign(const std::string& key, const FieldValue& value, SweepSample& sample) {
  if (key == "method") {
    const auto index = std::ranges::find(sample_method_names(), std::get<std::string>(value));
    sample.method = static_cast<SampleMethod>(index - sample_method_names().begin());
  } else if (key == "count") {
    sample.count = std::get<std::int64_t>(value);
  } else {
    sample.seed = static_cast<std::uint64_t>(std::get<std::int64_t>(value));
  }
}

void read_key(const YamlNode& node, const Field& field, SweepSample& sample, ErrorList& errors) {
  const YamlNode* given = node.find(field.path);
  if (given == nullptr) {
    if (field.info.required) errors.add(node.place, fmt::format("sample has no '{}'", field.path), form);
    return;
  }
  if (const auto value = read_value(*given, field, errors)) assign(field.path, *value, sample);
}

}  // namespace

const std::vector<Field>& sample_fields() {
  static const std::vector<Field> fields = [] {
    // One after another: GCC 12 takes the std::function of a list's element for uninitialised.
    std::vector<Field> all;
    const FieldInfo method{.description = "latin_hypercube: the values of each axis equally often; random: any points",
                           .choices = sample_method_names,
                           .required = true};
    all.push_back({"method", FieldType::text, method, to_string(SampleMethod::latin_hypercube)});
    const FieldInfo count{.description = "points drawn, all different",
                          .minimum = 1,
                          .maximum = static_cast<double>(most_points),
                          .required = true};
    all.push_back({"count", FieldType::integer, count, std::int64_t{1}});
    const FieldInfo seed{.description = "of the drawing; left out: the experiment's",
                         .minimum = 0,
                         .maximum = static_cast<double>(largest_exact_integer)};
    all.push_back({"seed", FieldType::integer, seed, std::int64_t{1}});
    return all;
  }();
  return fields;
}

void read_sample(const YamlNode& node, ExperimentReading& reading) {
  if (node.kind == YamlNode::Kind::invalid) return;
  if (node.kind != YamlNode::Kind::map) {
    reading.errors.add(node.place, fmt::format("sample holds {}, not a map of keys", describe(node)), form);
    return;
  }
  for (const YamlEntry& entry : node.entries) {
    if (is_key(entry.key)) continue;
    reading.errors.add(entry.place, fmt::format("unknown key {} of sample", quote(entry.key)),
                       suggest(entry.key, key_names()));
  }
  SweepSample sample;
  for (const Field& field : sample_fields()) read_key(node, field, sample, reading.errors);
  if (reading.experiment.sweep.axes.empty()) {
    reading.errors.add(node.place, "there is no grid or zip to take a sample of", "add one, or remove the sample");
  }
  reading.experiment.sweep.sample = sample;
  reading.sample_place = node.place;
}

}  // namespace kvarium

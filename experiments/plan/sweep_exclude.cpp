#include "experiments/plan/sweep_exclude.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/text.hpp"
#include "experiments/config/value_reader.hpp"
#include "experiments/plan/axis_values.hpp"
#include "experiments/plan/exclusion_mask.hpp"
#include "experiments/yaml/quoted_text.hpp"

namespace kvarium {
namespace {

const char* const form = "write '- {cache.layout: nhd, cache.block_size: [16, 32]}'";

std::vector<FieldValue> read_values(const YamlNode& node, const Field& field, ErrorList& errors) {
  if (node.kind != YamlNode::Kind::scalar) return read_axis_values(node, field, errors);
  const auto value = read_value(node, field, errors);
  return value ? std::vector{*value} : std::vector<FieldValue>{};
}

/// Whether an axis sweeps the key; reported otherwise.
bool is_axis_key(const YamlEntry& entry, ExperimentReading& reading) {
  std::vector<std::string> paths;
  for (const SweepAxis& axis : reading.experiment.sweep.axes) {
    paths.insert(paths.end(), axis.paths.begin(), axis.paths.end());
  }
  if (std::ranges::find(paths, entry.key) != paths.end()) return true;
  const std::string remedy = paths.empty() ? "add grid or zip, or remove the rule" : suggest(entry.key, paths);
  reading.errors.add(entry.place, fmt::format("no axis of grid or zip sweeps {}", quote(entry.key)), remedy);
  return false;
}

void check_known(const YamlEntry& entry, const std::vector<FieldValue>& values, ExperimentReading& reading) {
  const Sweep product{reading.experiment.sweep.axes, {}, {}, {}};
  const std::vector<FieldValue> swept = values_of(product, entry.key, false);
  const std::set<FieldValue> known(swept.begin(), swept.end());
  for (const FieldValue& value : values) {
    if (known.contains(value)) continue;
    reading.errors.add(entry.value.place,
                       fmt::format("no axis has the value {} of {}", quote(to_string(value)), quote(entry.key)),
                       "leave out what is swept");
  }
}

void read_key(const YamlEntry& entry, SweepExclusion& rule, ExperimentReading& reading) {
  const Field* field = find_swept_key(entry.key, entry.place, reading.errors);
  if (field == nullptr || !is_axis_key(entry, reading)) return;
  std::vector<FieldValue> values = read_values(entry.value, *field, reading.errors);
  check_known(entry, values, reading);
  rule.paths.push_back(entry.key);
  rule.values.push_back(std::move(values));
}

void read_rule(const YamlNode& node, ExperimentReading& reading) {
  if (node.kind == YamlNode::Kind::invalid) return;
  if (node.kind != YamlNode::Kind::map || node.entries.empty()) {
    reading.errors.add(node.place, fmt::format("a rule of exclude is {}, no map of keys to values", describe(node)),
                       form);
    return;
  }
  const std::size_t errors_before = reading.errors.size();
  SweepExclusion rule;
  for (const YamlEntry& entry : node.entries) read_key(entry, rule, reading);
  if (reading.errors.size() != errors_before) return;
  if (!ExclusionMask(rule, reading.experiment.sweep.axes).drops_any()) {
    reading.errors.add(node.place, "the rule leaves nothing out, because no axis has these values together",
                       "correct or remove it");
  }
  reading.experiment.sweep.exclude.push_back(std::move(rule));
  reading.exclusion_places.push_back(node.place);
}

}  // namespace

void read_exclude(const YamlNode& node, ExperimentReading& reading) {
  if (node.kind == YamlNode::Kind::invalid) return;
  if (node.kind != YamlNode::Kind::sequence || node.items.empty()) {
    reading.errors.add(node.place, fmt::format("exclude holds {}, no list of maps of keys to values", describe(node)),
                       form);
    return;
  }
  for (const YamlNode& rule : node.items) read_rule(rule, reading);
}

}  // namespace kvarium

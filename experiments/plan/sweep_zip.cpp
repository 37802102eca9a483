#include "experiments/plan/sweep_zip.hpp"

#include <fmt/format.h>

#include <set>

#include "experiments/config/value_reader.hpp"
#include "experiments/plan/axis_values.hpp"
#include "experiments/yaml/quoted_text.hpp"

namespace kvarium {
namespace {

const char* const column_form = "write '- {cache.layout: [nhd, hnd], cache.block_size: [16, 32]}'";
const char* const row_form = "write '- {cache.layout: nhd, cache.block_size: 16}'";

/// Values of one key, [num_values].
struct ZippedKey {
  std::string path;
  std::vector<FieldValue> values;
};

/// Every key of the map that has values; keys of unequal length are reported. Nothing when anything was wrong.
std::vector<ZippedKey> read_keys(const YamlNode& map, ExperimentReading& reading) {
  const std::size_t errors_before = reading.errors.size();
  std::vector<ZippedKey> keys;
  for (const YamlEntry& entry : map.entries) {
    const Field* field = claim_swept_key(entry.key, entry.place, reading);
    if (field == nullptr) continue;
    keys.push_back({entry.key, read_shared_axis_values(entry.value, *field, reading.errors)});
    if (reading.errors.size() == errors_before && keys.back().values.size() != keys.front().values.size()) {
      reading.errors.add(entry.place,
                         fmt::format("{} has {} values but {} has {}", quote(entry.key), keys.back().values.size(),
                                     quote(keys.front().path), keys.front().values.size()),
                         "give the keys of one zip equally many values");
    }
  }
  if (reading.errors.size() != errors_before) keys.clear();
  return keys;
}

/// Appends the axis, unless a row stands twice in it.
void add_axis(SweepAxis axis, const Place& place, ExperimentReading& reading) {
  std::set<std::vector<FieldValue>> seen;
  for (std::size_t row = 0; row < axis.values.size(); ++row) {
    if (seen.insert(axis.values[row]).second) continue;
    reading.errors.add(place, fmt::format("the values at position {} stand together twice", row + 1),
                       "remove one of them");
  }
  reading.experiment.sweep.axes.push_back(std::move(axis));
}

void read_columns(const YamlNode& map, ExperimentReading& reading) {
  const std::vector<ZippedKey> keys = read_keys(map, reading);
  if (keys.empty()) return;
  SweepAxis axis;
  for (const ZippedKey& key : keys) axis.paths.push_back(key.path);
  for (std::size_t row = 0; row < keys.front().values.size(); ++row) {
    std::vector<FieldValue> values;
    for (const ZippedKey& key : keys) values.push_back(key.values[row]);
    axis.values.push_back(std::move(values));
  }
  add_axis(std::move(axis), map.place, reading);
}

/// Fields that the rows name, in the order they first stand. Nothing when anything was wrong.
std::vector<const Field*> read_row_fields(const YamlNode& rows, ExperimentReading& reading) {
  const std::size_t errors_before = reading.errors.size();
  std::vector<const Field*> fields;
  std::set<std::string> named;
  for (const YamlNode& row : rows.items) {
    if (row.kind != YamlNode::Kind::map || row.entries.empty()) {
      reading.errors.add(row.place, fmt::format("a row of zip holds {}, no map of keys to values", describe(row)),
                         row_form);
      continue;
    }
    for (const YamlEntry& entry : row.entries) {
      if (!named.insert(entry.key).second) continue;
      if (const Field* field = claim_swept_key(entry.key, entry.place, reading)) fields.push_back(field);
    }
  }
  if (reading.errors.size() != errors_before) fields.clear();
  return fields;
}

void read_rows(const YamlNode& rows, ExperimentReading& reading) {
  const std::vector<const Field*> fields = read_row_fields(rows, reading);
  if (fields.empty()) return;
  SweepAxis axis;
  for (const Field* field : fields) axis.paths.push_back(field->path);
  for (const YamlNode& row : rows.items) {
    std::vector<FieldValue> values;
    for (const Field* field : fields) {
      const YamlNode* given = row.find(field->path);
      const auto value = given == nullptr ? field->default_value : read_value(*given, *field, reading.errors);
      values.push_back(value.value_or(field->default_value));
    }
    axis.values.push_back(std::move(values));
  }
  add_axis(std::move(axis), rows.place, reading);
}

void read_axis(const YamlNode& item, ExperimentReading& reading) {
  if (item.kind == YamlNode::Kind::invalid) return;
  if (item.kind == YamlNode::Kind::sequence && !item.items.empty()) return read_rows(item, reading);
  if (item.kind == YamlNode::Kind::map && !item.entries.empty()) return read_columns(item, reading);
  reading.errors.add(item.place, fmt::format("zip holds {}, no map of keys to values", describe(item)), column_form);
}

}  // namespace

void read_zip(const YamlNode& node, ExperimentReading& reading) {
  if (node.kind == YamlNode::Kind::invalid) return;
  if (node.kind != YamlNode::Kind::sequence || node.items.empty()) {
    reading.errors.add(node.place, fmt::format("zip holds {}, no list of maps of keys to values", describe(node)),
                       column_form);
    return;
  }
  for (const YamlNode& map : node.items) read_axis(map, reading);
}

}  // namespace kvarium

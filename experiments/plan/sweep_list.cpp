#include "experiments/plan/sweep_list.hpp"

#include <fmt/format.h>

#include "experiments/config/value_reader.hpp"
#include "experiments/plan/axis_values.hpp"

namespace kvarium {
namespace {

const char* const form = "write '- {cache.layout: nhd, cache.block_size: 16}'";

void read_key(const YamlEntry& entry, SweepRow& row, ExperimentReading& reading) {
  const Field* field = find_swept_key(entry.key, entry.place, reading.errors);
  if (field == nullptr) return;
  reading.swept.emplace(entry.key, entry.place);
  const auto value = read_value(entry.value, *field, reading.errors);
  if (!value) return;
  row.paths.push_back(entry.key);
  row.values.push_back(*value);
}

void read_row(const YamlNode& node, ExperimentReading& reading) {
  if (node.kind == YamlNode::Kind::invalid) return;
  if (node.kind != YamlNode::Kind::map || node.entries.empty()) {
    reading.errors.add(node.place, fmt::format("a row of list is {}, no map of keys to values", describe(node)), form);
    return;
  }
  SweepRow row;
  for (const YamlEntry& entry : node.entries) read_key(entry, row, reading);
  reading.experiment.sweep.list.push_back(std::move(row));
  reading.row_places.push_back(node.place);
}

}  // namespace

void read_list(const YamlNode& node, ExperimentReading& reading) {
  if (node.kind == YamlNode::Kind::invalid) return;
  if (node.kind != YamlNode::Kind::sequence || node.items.empty()) {
    reading.errors.add(node.place, fmt::format("list holds {}, no list of maps of keys to values", describe(node)),
                       form);
    return;
  }
  for (const YamlNode& row : node.items) read_row(row, reading);
}

}  // namespace kvarium

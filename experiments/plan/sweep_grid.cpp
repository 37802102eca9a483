#include "experiments/plan/sweep_grid.hpp"

#include <fmt/format.h>

#include "experiments/plan/axis_values.hpp"

namespace kvarium {
namespace {

void read_axis(const YamlEntry& entry, ExperimentReading& reading) {
  const Field* field = claim_swept_key(entry.key, entry.place, reading);
  if (field == nullptr) return;
  SweepAxis axis;
  axis.paths.push_back(entry.key);
  for (FieldValue& value : read_axis_values(entry.value, *field, reading.errors)) {
    axis.values.push_back({std::move(value)});
  }
  if (!axis.values.empty()) reading.experiment.sweep.axes.push_back(std::move(axis));
}

}  // namespace

void read_grid(const YamlNode& node, ExperimentReading& reading) {
  if (node.kind == YamlNode::Kind::invalid) return;
  if (node.kind != YamlNode::Kind::map || node.entries.empty()) {
    reading.errors.add(node.place, fmt::format("grid holds {}, no map of keys to values", describe(node)),
                       "write keys as 'cache.layout: [nhd, hnd]'");
    return;
  }
  for (const YamlEntry& entry : node.entries) read_axis(entry, reading);
}

}  // namespace kvarium

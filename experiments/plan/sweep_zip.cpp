#include "experiments/plan/sweep_zip.hpp"

#include <fmt/format.h>

#include <set>

#include "experiments/plan/axis_values.hpp"
#include "experiments/yaml/quoted_text.hpp"

namespace kvarium {
namespace {

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

void read_axis(const YamlNode& map, ExperimentReading& reading) {
  if (map.kind == YamlNode::Kind::invalid) return;
  if (map.kind != YamlNode::Kind::map || map.entries.empty()) {
    reading.errors.add(map.place, fmt::format("zip holds {}, no map of keys to values", describe(map)),
                       "write '- {cache.layout: [nhd, hnd], cache.block_size: [16, 32]}'");
    return;
  }
  const std::vector<ZippedKey> keys = read_keys(map, reading);
  if (keys.empty()) return;
  SweepAxis axis;
  for (const ZippedKey& key : keys) axis.paths.push_back(key.path);
  std::set<std::vector<FieldValue>> seen;
  for (std::size_t row = 0; row < keys.front().values.size(); ++row) {
    std::vector<FieldValue> values;
    for (const ZippedKey& key : keys) values.push_back(key.values[row]);
    if (!seen.insert(values).second) {
      reading.errors.add(map.place, fmt::format("the values at position {} stand together twice", row + 1),
                         "remove one of them from each list");
    }
    axis.values.push_back(std::move(values));
  }
  reading.experiment.sweep.push_back(std::move(axis));
}

}  // namespace

void read_zip(const YamlNode& node, ExperimentReading& reading) {
  if (node.kind == YamlNode::Kind::invalid) return;
  if (node.kind != YamlNode::Kind::sequence || node.items.empty()) {
    reading.errors.add(node.place, fmt::format("zip holds {}, no list of maps of keys to values", describe(node)),
                       "write '- {cache.layout: [nhd, hnd], cache.block_size: [16, 32]}'");
    return;
  }
  for (const YamlNode& map : node.items) read_axis(map, reading);
}

}  // namespace kvarium

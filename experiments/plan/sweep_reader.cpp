#include "experiments/plan/sweep_reader.hpp"

#include <fmt/format.h>

#include "experiments/config/value_reader.hpp"
#include "experiments/plan/sweep_exclude.hpp"
#include "experiments/plan/sweep_grid.hpp"
#include "experiments/plan/sweep_list.hpp"
#include "experiments/plan/sweep_sample.hpp"
#include "experiments/plan/sweep_zip.hpp"
#include "experiments/yaml/quoted_text.hpp"

namespace kvarium {
namespace {

std::vector<std::string> sweep_key_names() {
  std::vector<std::string> names;
  for (const SweepKey& key : sweep_keys()) names.push_back(key.name);
  return names;
}

const SweepKey* find_sweep_key(const std::string& name) {
  for (const SweepKey& key : sweep_keys()) {
    if (key.name == name) return &key;
  }
  return nullptr;
}

}  // namespace

const std::vector<SweepKey>& sweep_keys() {
  static const std::vector<SweepKey> keys{
      {"grid", "every combination of the values of its keys; the first key varies slowest", read_grid},
      {"zip", "a list of maps of keys to equally long lists, whose values are taken together, or of lists of such rows",
       read_zip},
      {"exclude", "a list of maps of keys to a value or values; what has one of them at every key is left out",
       read_exclude},
      {"sample", "so many points of grid and zip instead of all of them", read_sample},
      {"list", "a list of points of their own, maps of keys to values; their other keys are as in base", read_list},
  };
  return keys;
}

void read_sweep(const YamlNode& node, ExperimentReading& reading) {
  if (node.kind == YamlNode::Kind::invalid) return;
  if (node.kind != YamlNode::Kind::map) {
    reading.errors.add(node.place, fmt::format("sweep holds {}, not a map of keys", describe(node)),
                       suggest("", sweep_key_names()));
    return;
  }
  for (const YamlEntry& entry : node.entries) {
    if (find_sweep_key(entry.key) != nullptr) continue;
    reading.errors.add(entry.place, fmt::format("unknown key {} of sweep", quote(entry.key)),
                       suggest(entry.key, sweep_key_names()));
  }
  for (const SweepKey& key : sweep_keys()) {
    if (const YamlNode* value = node.find(key.name)) key.read(*value, reading);
  }
}

}  // namespace kvarium

#include "experiments/plan/merge_yaml.hpp"

#include <algorithm>
#include <utility>

#include "experiments/config/section_reader.hpp"

namespace kvarium {
namespace {

constexpr const char* swept_values = "sweep.grid";

YamlNode merge(YamlNode parent, const YamlNode& child, const std::string& path);

/// The map that a plain value stands for (`replicates: 5`), where it stands for one; else the value itself.
YamlNode written_out(YamlNode value, const std::string& path) {
  const std::string key = shorthand_key(path);
  if (value.kind != YamlNode::Kind::scalar || key.empty()) return value;
  YamlNode map;
  map.kind = YamlNode::Kind::map;
  map.place = value.place;
  map.entries.push_back({key.substr(path.size() + 1), value.place, std::move(value)});
  return map;
}

void merge_entry(std::vector<YamlEntry>& entries, const YamlEntry& child, const std::string& path) {
  const auto parent = std::ranges::find(entries, child.key, &YamlEntry::key);
  if (parent == entries.end()) {
    entries.push_back(child);
  } else if (child.value.kind == YamlNode::Kind::null) {
    entries.erase(parent);
  } else if (path == swept_values) {
    *parent = child;
  } else {
    parent->value = merge(std::move(parent->value), child.value, path.empty() ? child.key : path + "." + child.key);
    parent->place = child.place;
  }
}

YamlNode merge(YamlNode parent, const YamlNode& nearer, const std::string& path) {
  parent = written_out(std::move(parent), path);
  const YamlNode child = written_out(nearer, path);
  if (parent.kind != YamlNode::Kind::map || child.kind != YamlNode::Kind::map) return child;
  for (const YamlEntry& entry : child.entries) merge_entry(parent.entries, entry, path);
  parent.place = child.place;
  return parent;
}

}  // namespace

YamlNode merge_yaml(YamlNode parent, const YamlNode& child) { return merge(std::move(parent), child, ""); }

}  // namespace kvarium

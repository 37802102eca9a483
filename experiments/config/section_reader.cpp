#include "experiments/config/section_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/config/value_reader.hpp"
#include "experiments/yaml/quoted_text.hpp"

namespace kvarium {
namespace {

/// The place of a value, or of its key when the value is empty.
YamlNode placed_value(const YamlEntry& entry) {
  YamlNode node = entry.value;
  if (node.kind == YamlNode::Kind::null) node.place = entry.place;
  return node;
}

void read_key(const YamlNode& node, std::size_t field, ExperimentReading& reading) {
  const Field& description = experiment_fields().fields()[field];
  reading.places.emplace(description.path, node.place);
  if (const auto value = read_value(node, description, reading.errors)) set_value(reading.members[field], *value);
}

void read_entry(const YamlEntry& entry, const std::string& path, ExperimentReading& reading) {
  const YamlNode value = placed_value(entry);
  std::ptrdiff_t field = experiment_fields().find(path);
  if (field < 0 && value.kind == YamlNode::Kind::scalar) field = experiment_fields().find(shorthand_key(path));
  if (field >= 0) {
    read_key(value, static_cast<std::size_t>(field), reading);
  } else {
    read_section(value, path, reading);
  }
}

std::vector<std::string> allowed_keys(const std::string& section) {
  std::vector<std::string> keys = experiment_fields().children(section);
  if (section.empty()) keys.insert(keys.end(), {"sweep", "extends"});
  return keys;
}

}  // namespace

std::string shorthand_key(const std::string& section) { return section == "replicates" ? "replicates.count" : ""; }

void read_section(const YamlNode& node, const std::string& section, ExperimentReading& reading) {
  if (node.kind == YamlNode::Kind::invalid) return;
  const std::vector<std::string> allowed = allowed_keys(section);
  if (node.kind != YamlNode::Kind::map) {
    const std::string what = section.empty() ? "the file" : section;
    reading.errors.add(node.place, fmt::format("{} holds {}, not a map of keys", what, describe(node)),
                       suggest("", allowed));
    return;
  }
  for (const YamlEntry& entry : node.entries) {
    if (std::find(allowed.begin(), allowed.end(), entry.key) == allowed.end()) {
      reading.errors.add(entry.place, fmt::format("unknown key {}", quote(entry.key)), suggest(entry.key, allowed));
    } else if (!section.empty() || entry.key != "sweep") {
      read_entry(entry, section.empty() ? entry.key : section + "." + entry.key, reading);
    }
  }
}

void require_keys(ExperimentReading& reading) {
  for (const Field& field : experiment_fields().fields()) {
    if (!field.info.required || reading.places.contains(field.path)) continue;
    const std::string value = field.info.choices != nullptr ? ", one of " + join(field.info.choices()) : "";
    reading.errors.add(reading.document, fmt::format("key '{}' is missing ({})", field.path, field.info.description),
                       fmt::format("add '{}: ...'{}", field.path, value));
  }
}

}  // namespace kvarium

#include "experiments/config/override_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/check.hpp"
#include "experiments/config/section_reader.hpp"
#include "experiments/config/value_reader.hpp"
#include "experiments/yaml/quoted_text.hpp"
#include "experiments/yaml/yaml_parser.hpp"

namespace kvarium {
namespace {

constexpr std::string_view base_prefix = "base.";

std::string without_base(const std::string& path) {
  return path.starts_with(base_prefix) ? path.substr(base_prefix.size()) : path;
}

/// A place is part of a line, whatever was typed.
std::string in_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

/// Index of the key an override names, or -1.
std::ptrdiff_t find_key(const std::string& key) {
  for (const std::string& path : {std::string(base_prefix) + key, key, shorthand_key(key)}) {
    const std::ptrdiff_t field = experiment_fields().find(path);
    if (field >= 0) return field;
  }
  return -1;
}

std::vector<std::string> known_keys() {
  std::vector<std::string> keys;
  for (const std::string& path : experiment_fields().paths()) keys.push_back(without_base(path));
  return keys;
}

/// The text after '=' as one value; an invalid node when it is none, which is then reported.
YamlNode parse_value(const std::string& text, const Place& place, ErrorList& errors) {
  YamlNode node;
  ErrorList own_errors;
  try {
    if (!text.empty()) node = parse_yaml(text, place.source, own_errors);
  } catch (const InputError&) {
    node.kind = YamlNode::Kind::invalid;
  }
  node.place = place;
  if (node.kind == YamlNode::Kind::invalid || !own_errors.empty()) {
    errors.add(place, fmt::format("{} is not a value as YAML writes it", quote(text)), "put it in quotes");
    node.kind = YamlNode::Kind::invalid;
  }
  return node;
}

void assign(std::size_t field, const YamlNode& node, ExperimentReading& reading) {
  const Field& description = experiment_fields().fields()[field];
  const auto axis = reading.swept.find(without_base(description.path));
  if (axis != reading.swept.end()) {
    reading.errors.add(node.place, fmt::format("the file sweeps this key ({})", to_string(axis->second)),
                       "leave the override out, or the axis");
    return;
  }
  reading.places[description.path] = node.place;
  if (const auto value = read_value(node, description, reading.errors)) set_value(reading.members[field], *value);
}

}  // namespace

void read_override(const std::string& assignment, ExperimentReading& reading) {
  const Place place{"--set " + in_one_line(assignment), 0, 0};
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0) {
    reading.errors.add(place, "this is no assignment", "write --set KEY=VALUE");
    return;
  }
  const std::string key = assignment.substr(0, equals);
  const std::ptrdiff_t field = find_key(key);
  if (field < 0) {
    reading.errors.add(place, fmt::format("unknown key {}", quote(key)), suggest(key, known_keys()));
    return;
  }
  assign(static_cast<std::size_t>(field), parse_value(assignment.substr(equals + 1), place, reading.errors), reading);
}

}  // namespace kvarium

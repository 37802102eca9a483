#include "experiments/plan/axis_values.hpp"

#include <fmt/format.h>

#include <set>

#include "experiments/config/value_reader.hpp"
#include "experiments/plan/value_series.hpp"
#include "experiments/yaml/quoted_text.hpp"

namespace kvarium {
namespace {

/// Values with their places, so that one that stands twice is shown.
struct PlacedValue {
  FieldValue value;
  Place place;
};

std::vector<PlacedValue> read_list(const YamlNode& node, const Field& field, ErrorList& errors) {
  if (node.items.empty()) errors.add(node.place, "the list of values is empty", "write one value or more");
  std::vector<PlacedValue> values;
  for (const YamlNode& item : node.items) {
    if (auto value = read_value(item, field, errors)) values.push_back({std::move(*value), item.place});
  }
  return values;
}

std::vector<PlacedValue> read_series(const YamlNode& node, const Field& field, ErrorList& errors) {
  std::vector<PlacedValue> values;
  for (FieldValue& value : read_value_series(node, field, errors)) {
    if (!check_value(value, field, node.place, errors)) break;
    values.push_back({std::move(value), node.place});
  }
  return values;
}

/// Values of a list or a series; anything else is reported.
std::vector<PlacedValue> read_values(const YamlNode& node, const Field& field, ErrorList& errors) {
  if (node.kind == YamlNode::Kind::invalid) return {};
  if (node.kind == YamlNode::Kind::sequence) return read_list(node, field, errors);
  if (node.kind == YamlNode::Kind::map) return read_series(node, field, errors);
  errors.add(node.place, fmt::format("{} is no list of values", describe(node)), "write [a, b] or {pow2: [0, 4]}");
  return {};
}

std::vector<FieldValue> take_distinct(std::vector<PlacedValue> values, ErrorList& errors) {
  std::set<FieldValue> seen;
  std::vector<FieldValue> distinct;
  for (PlacedValue& value : values) {
    if (seen.insert(value.value).second) {
      distinct.push_back(std::move(value.value));
    } else {
      errors.add(value.place, fmt::format("value {} stands twice", quote(to_string(value.value))), "remove one");
    }
  }
  return distinct;
}

}  // namespace

const Field* find_swept_key(const std::string& path, const Place& place, ErrorList& errors) {
  const std::ptrdiff_t index = base_fields().find(path);
  if (index >= 0) return &base_fields().fields()[static_cast<std::size_t>(index)];
  errors.add(place, fmt::format("sweep path {} is no key of base", quote(path)), suggest(path, base_fields().paths()));
  return nullptr;
}

const Field* claim_swept_key(const std::string& path, const Place& place, ExperimentReading& reading) {
  const Field* field = find_swept_key(path, place, reading.errors);
  if (field == nullptr) return nullptr;
  if (const auto fixed = reading.places.find("base." + path); fixed != reading.places.end()) {
    reading.errors.add(place, fmt::format("base gives this key a fixed value ({})", to_string(fixed->second)),
                       "remove the value or the axis");
    return nullptr;
  }
  if (const auto [first, is_new] = reading.swept.emplace(path, place); !is_new) {
    reading.errors.add(place, fmt::format("another axis sweeps this key ({})", to_string(first->second)),
                       "remove one of them");
    return nullptr;
  }
  return field;
}

std::vector<FieldValue> read_axis_values(const YamlNode& node, const Field& field, ErrorList& errors) {
  return take_distinct(read_values(node, field, errors), errors);
}

std::vector<FieldValue> read_shared_axis_values(const YamlNode& node, const Field& field, ErrorList& errors) {
  std::vector<FieldValue> values;
  for (PlacedValue& value : read_values(node, field, errors)) values.push_back(std::move(value.value));
  return values;
}

}  // namespace kvarium

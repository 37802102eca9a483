#include "experiments/config/value_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "experiments/config/number_text.hpp"
#include "experiments/yaml/quoted_text.hpp"
#include "experiments/yaml/yaml_scalar.hpp"

namespace kvarium {
namespace {

std::string last_name(const std::string& path) { return path.substr(path.rfind('.') + 1); }

/// "use MINIMUM to MAXIMUM UNIT", leaving out what is unbounded.
std::string describe_bounds(const FieldInfo& info) {
  const std::string unit = info.unit.empty() || info.unit == "1" ? "" : fmt::format(" {}", info.unit);
  if (std::isinf(info.maximum)) return fmt::format("use {} or more{}", number_text(info.minimum), unit);
  if (std::isinf(info.minimum)) return fmt::format("use {} at most{}", number_text(info.maximum), unit);
  return fmt::format("use {} to {}{}", number_text(info.minimum), number_text(info.maximum), unit);
}

bool is_within(const FieldValue& value, const FieldInfo& info) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    const auto number = static_cast<double>(*integer);
    return number >= info.minimum && number <= info.maximum;
  }
  if (const auto* number = std::get_if<double>(&value)) return *number >= info.minimum && *number <= info.maximum;
  return true;
}

bool is_choice(const FieldValue& value, const std::vector<std::string>& choices) {
  return std::find(choices.begin(), choices.end(), std::get<std::string>(value)) != choices.end();
}

std::optional<FieldValue> read_typed(const YamlNode& node, FieldType type, ErrorList& errors) {
  switch (type) {
    case FieldType::boolean:
      return read_boolean(node, errors);
    case FieldType::integer:
      return read_integer(node, errors);
    case FieldType::number:
      return read_number(node, errors);
    case FieldType::text:
      return read_text(node, errors);
  }
  return {};
}

}  // namespace

std::string suggest(const std::string& word, const std::vector<std::string>& allowed) {
  constexpr std::size_t longest_word = 100;
  const std::string nearest = word.size() <= longest_word ? nearest_word(word, allowed) : "";
  const std::string question = nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest);
  return fmt::format("use one of {}{}", join(allowed), question);
}

bool check_value(const FieldValue& value, const Field& field, const Place& place, ErrorList& errors) {
  const std::string name = last_name(field.path);
  if (!is_within(value, field.info)) {
    errors.add(place, fmt::format("{} {} is out of range", name, to_string(value)), describe_bounds(field.info));
    return false;
  }
  if (field.info.choices != nullptr) {
    const std::vector<std::string> choices = field.info.choices();
    if (is_choice(value, choices)) return true;
    const std::string& word = std::get<std::string>(value);
    errors.add(place, fmt::format("{} {} is not known", name, quote(word)), suggest(word, choices));
    return false;
  }
  const auto problem = field.info.problem != nullptr ? field.info.problem(value) : std::nullopt;
  if (problem) errors.add(place, *problem);
  return !problem;
}

std::optional<FieldValue> read_value(const YamlNode& node, const Field& field, ErrorList& errors) {
  const std::optional<FieldValue> value = read_typed(node, field.type, errors);
  if (!value || !check_value(*value, field, node.place, errors)) return {};
  return value;
}

}  // namespace kvarium

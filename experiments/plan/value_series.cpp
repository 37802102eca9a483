#include "experiments/plan/value_series.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "experiments/config/number_text.hpp"
#include "experiments/config/value_reader.hpp"
#include "experiments/yaml/quoted_text.hpp"
#include "experiments/yaml/yaml_scalar.hpp"

namespace kvarium {
namespace {

constexpr double most_values = 1000000;

/// Numbers of a series, or what is wrong with its arguments ("what; remedy").
struct SeriesResult {
  std::vector<double> numbers;
  std::string problem;
};

using Arguments = std::vector<double>;

bool is_count(double number) { return number == std::floor(number) && number >= 1 && number <= most_values; }

SeriesResult make_range(const Arguments& arguments) {
  const double step = arguments.size() > 2 ? arguments[2] : 1;
  const double span = arguments[1] - arguments[0];
  if (step == 0 || span / step < 0) return {{}, "the step does not lead from first to last; change its sign"};
  // Steps such as 0.1 are not exact: the last value counts when it is met within rounding.
  const double count = std::floor(span / step * (1 + 1e-12) + 1e-12) + 1;
  if (count > most_values) return {{}, "the range has more than 1000000 values; take larger steps"};
  SeriesResult result;
  for (double i = 0; i < count; ++i) result.numbers.push_back(arguments[0] + i * step);
  return result;
}

SeriesResult make_pow2(const Arguments& arguments) {
  const bool ordered = arguments[0] <= arguments[1] && arguments[0] >= -1022 && arguments[1] <= 1023;
  if (!ordered || arguments[0] != std::floor(arguments[0]) || arguments[1] != std::floor(arguments[1])) {
    return {{}, "pow2 takes the first and the last exponent; write integers such as [0, 6]"};
  }
  SeriesResult result;
  for (double exponent = arguments[0]; exponent <= arguments[1]; ++exponent) {
    result.numbers.push_back(std::exp2(exponent));
  }
  return result;
}

SeriesResult make_linspace(const Arguments& arguments) {
  if (!is_count(arguments[2])) return {{}, "the count is not an integer from 1 to 1000000; change it"};
  const double steps = std::max(1.0, arguments[2] - 1);
  SeriesResult result;
  for (double i = 0; i < arguments[2]; ++i) {
    // Weighing both ends makes the last value exact.
    result.numbers.push_back((arguments[0] * (steps - i) + arguments[1] * i) / steps);
  }
  return result;
}

SeriesResult make_logspace(const Arguments& arguments) {
  if (arguments[0] <= 0 || arguments[1] <= 0) return {{}, "logspace has an end that is not positive; change it"};
  SeriesResult result = make_linspace({std::log10(arguments[0]), std::log10(arguments[1]), arguments[2]});
  for (double& number : result.numbers) number = std::pow(10.0, number);
  // Logarithm and power need not cancel, and the ends are what the user wrote.
  if (!result.numbers.empty()) result.numbers.front() = arguments[0];
  if (result.numbers.size() > 1) result.numbers.back() = arguments[1];
  return result;
}

struct Series : SeriesForm {
  SeriesResult (*make)(const Arguments& arguments);
};

const std::vector<Series>& all_series() {
  static const std::vector<Series> series{
      {{"range", 2, 3, "range: [first, last, step]"}, make_range},
      {{"pow2", 2, 2, "pow2: [first exponent, last exponent]"}, make_pow2},
      {{"linspace", 3, 3, "linspace: [first, last, count]"}, make_linspace},
      {{"logspace", 3, 3, "logspace: [first, last, count]"}, make_logspace},
  };
  return series;
}

const Series* find_series(const std::string& name) {
  for (const Series& series : all_series()) {
    if (series.name == name) return &series;
  }
  return nullptr;
}

/// The series' arguments, or nothing when they are reported as wrong.
std::optional<Arguments> read_arguments(const YamlNode& node, const Series& series, ErrorList& errors) {
  Arguments arguments;
  for (const YamlNode& item : node.items) {
    const auto number = read_number(item, errors);
    if (!number) return {};
    arguments.push_back(*number);
  }
  if (arguments.size() >= series.fewest_arguments && arguments.size() <= series.most_arguments) return arguments;
  errors.add(node.place, fmt::format("{} has {} arguments", series.name, arguments.size()),
             fmt::format("write {}", series.form));
  return {};
}

SeriesResult make_finite(const Series& series, const Arguments& arguments) {
  SeriesResult result = series.make(arguments);
  for (const double number : result.numbers) {
    if (!std::isfinite(number)) return {{}, "the series leaves the range of 64-bit floats; choose nearer ends"};
  }
  return result;
}

/// The number as a value of the key, or nothing where an integer is wanted and it is none.
std::optional<FieldValue> as_field_value(double number, FieldType type) {
  if (type == FieldType::number) return number;
  const bool is_integer =
      number == std::floor(number) && std::abs(number) <= static_cast<double>(largest_exact_integer);
  if (!is_integer) return {};
  return static_cast<std::int64_t>(number);
}

std::vector<FieldValue> convert(const std::vector<double>& numbers, const Field& field, const Place& place,
                                ErrorList& errors) {
  std::vector<FieldValue> values;
  for (const double number : numbers) {
    const auto value = as_field_value(number, field.type);
    if (!value) {
      errors.add(place, fmt::format("the series gives {}, but {} takes integers", number_text(number), field.path),
                 "choose ends and step so that all values are integers");
      return {};
    }
    values.push_back(*value);
  }
  return values;
}

/// The series a map names, or null when it is reported as wrong.
const Series* choose_series(const YamlNode& node, ErrorList& errors) {
  if (node.entries.size() != 1) {
    errors.add(node.place, "a series of values is a map of one key", suggest("", value_series_names()));
    return nullptr;
  }
  const YamlEntry& entry = node.entries[0];
  const Series* series = find_series(entry.key);
  if (series == nullptr) {
    errors.add(entry.place, fmt::format("unknown series {}", quote(entry.key)),
               suggest(entry.key, value_series_names()));
  }
  return series;
}

}  // namespace

std::vector<std::string> value_series_names() {
  std::vector<std::string> names;
  for (const Series& series : all_series()) names.push_back(series.name);
  return names;
}

std::vector<SeriesForm> value_series_forms() { return {all_series().begin(), all_series().end()}; }

std::vector<FieldValue> read_value_series(const YamlNode& node, const Field& field, ErrorList& errors) {
  const Series* series = choose_series(node, errors);
  if (series == nullptr) return {};
  if (field.type != FieldType::integer && field.type != FieldType::number) {
    errors.add(node.place, fmt::format("{} takes {}, no series of numbers", field.path, to_string(field.type)),
               "write a list of values");
    return {};
  }
  const auto arguments = read_arguments(node.entries[0].value, *series, errors);
  if (!arguments) return {};
  const SeriesResult result = make_finite(*series, *arguments);
  if (!result.problem.empty()) errors.add(node.place, result.problem);
  return convert(result.numbers, field, node.place, errors);
}

}  // namespace kvarium

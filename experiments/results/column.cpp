#include "experiments/results/column.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "core/check.hpp"

namespace kvarium {

namespace {

Column::Storage empty_storage(ColumnType type) {
  switch (type) {
    case ColumnType::int8:
      return std::vector<std::int8_t>{};
    case ColumnType::int64:
      return std::vector<std::int64_t>{};
    case ColumnType::uint64:
      return std::vector<std::uint64_t>{};
    case ColumnType::float64:
      return std::vector<double>{};
    case ColumnType::text:
      return std::vector<std::string>{};
  }
  return {};
}

/// Index of the flag meaning, or -1.
int find_meaning(const ColumnSchema& schema, const std::string& word) {
  const auto found = std::find(schema.flag_meanings.begin(), schema.flag_meanings.end(), word);
  return found == schema.flag_meanings.end() ? -1 : static_cast<int>(found - schema.flag_meanings.begin());
}

/// Why a value of the visited alternative cannot stand in a column.
struct Refusal {
  const ColumnSchema& schema;

  std::string operator()(std::monostate) const {
    const bool natural = schema.type == ColumnType::float64 || schema.type == ColumnType::text;
    return natural || schema.may_be_missing ? "" : "a missing value, and the column may have none";
  }

  std::string operator()(const std::string& text) const {
    if (schema.type == ColumnType::text) return "";
    if (schema.flag_meanings.empty()) return "a text";
    return find_meaning(schema, text) >= 0 ? "" : concatenate("'", text, "', not one of ", join(schema.flag_meanings));
  }

  std::string operator()(double) const { return schema.type == ColumnType::float64 ? "" : "a floating-point number"; }

  template <class Integer>
  std::string operator()(Integer value) const {
    switch (schema.type) {
      case ColumnType::int8:
        return in_flags(value) ? "" : concatenate(value, ", which is out of range");
      case ColumnType::int64:
        return representable<std::int64_t>(value);
      case ColumnType::uint64:
        return representable<std::uint64_t>(value);
      case ColumnType::float64:
        return "";
      case ColumnType::text:
        return "a number";
    }
    return "";
  }

  template <class Integer>
  bool in_flags(Integer value) const {
    if (schema.flag_meanings.empty()) return representable<std::int8_t>(value).empty();
    return std::cmp_greater_equal(value, 0) && std::cmp_less(value, schema.flag_meanings.size());
  }

  template <class Target, class Integer>
  std::string representable(Integer value) const {
    if (!std::in_range<Target>(value)) return concatenate(value, ", which is out of range");
    if (schema.may_be_missing && std::cmp_equal(value, missing_integer<Target>())) {
      return concatenate(value, ", which stands for a missing value");
    }
    return "";
  }
};

/// The stored form of a value that was not refused.
template <class Element>
struct Conversion {
  const ColumnSchema& schema;

  Element operator()(std::monostate) const {
    if constexpr (std::is_integral_v<Element>) return missing_integer<Element>();
    if constexpr (std::is_same_v<Element, double>) return std::numeric_limits<double>::quiet_NaN();
    return Element{};
  }
  Element operator()(const std::string& text) const {
    if constexpr (std::is_same_v<Element, std::string>) return text;
    if constexpr (std::is_integral_v<Element>) return static_cast<Element>(find_meaning(schema, text));
    return Element{};
  }
  template <class Number>
  Element operator()(Number number) const {
    if constexpr (std::is_arithmetic_v<Element>) return static_cast<Element>(number);
    return Element{};
  }
};

template <class Element>
Value to_value(const ColumnSchema& schema, const Element& element) {
  if constexpr (std::is_integral_v<Element>) {
    if (schema.may_be_missing && element == missing_integer<Element>()) return {};
  }
  return Value(element);
}

/// Floats by their bits, so that NaN equals itself and -0 differs from 0.
bool same_values(const std::vector<double>& first, const std::vector<double>& second) {
  const auto same_bits = [](double left, double right) {
    return std::bit_cast<std::uint64_t>(left) == std::bit_cast<std::uint64_t>(right);
  };
  return std::equal(first.begin(), first.end(), second.begin(), second.end(), same_bits);
}

}  // namespace

Column::Column(ColumnSchema schema) : schema_(std::move(schema)), storage_(empty_storage(schema_.type)) {}

Column::Column(ColumnSchema schema, Storage storage) : schema_(std::move(schema)), storage_(std::move(storage)) {
  if (storage_.index() != empty_storage(schema_.type).index()) throw_wrong_type();
}

std::size_t Column::size() const {
  return std::visit([](const auto& values) { return values.size(); }, storage_);
}

std::string Column::refusal(const Value& value) const { return std::visit(Refusal{schema_}, value.storage()); }

void Column::append(const Value& value) {
  std::visit(
      [&]<class Element>(std::vector<Element>& values) {
        values.push_back(std::visit(Conversion<Element>{schema_}, value.storage()));
      },
      storage_);
}

void Column::append_rows(const Column& other, std::size_t begin, std::size_t end) {
  std::visit(
      [&]<class Element>(std::vector<Element>& values) {
        const std::span<const Element> added = other.values<Element>().subspan(begin, end - begin);
        values.insert(values.end(), added.begin(), added.end());
      },
      storage_);
}

void Column::reserve(std::size_t rows) {
  std::visit([rows](auto& values) { values.reserve(rows); }, storage_);
}

Value Column::value(std::size_t row) const {
  return std::visit([&](const auto& values) { return to_value(schema_, values.at(row)); }, storage_);
}

std::string Column::text(std::size_t row) const {
  const Value held = value(row);
  if (!schema_.flag_meanings.empty() && !held.is_missing()) {
    const auto flag = static_cast<std::size_t>(std::get<std::int64_t>(held.storage()));
    if (flag < schema_.flag_meanings.size()) return schema_.flag_meanings[flag];
  }
  return to_string(held);
}

bool Column::operator==(const Column& other) const {
  if (schema_ != other.schema_) return false;
  if (schema_.type != ColumnType::float64) return storage_ == other.storage_;
  return same_values(std::get<std::vector<double>>(storage_), std::get<std::vector<double>>(other.storage_));
}

void Column::throw_wrong_type() const {
  throw AssertionFailure(
      concatenate("column '", schema_.name, "' holds ", to_string(schema_.type), ", not what was asked"));
}

}  // namespace kvarium

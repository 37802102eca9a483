#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "experiments/results/table_schema.hpp"
#include "experiments/results/value.hpp"

namespace kvarium {

/// What stands for "missing" in an integer column: the lowest number, or the highest of an unsigned one.
template <class Integer>
constexpr Integer missing_integer() {
  return std::numeric_limits<Integer>::is_signed ? std::numeric_limits<Integer>::lowest()
                                                 : std::numeric_limits<Integer>::max();
}

/// The values of one column, in row order.
class Column {
 public:
  using Storage = std::variant<std::vector<std::int8_t>, std::vector<std::int64_t>, std::vector<std::uint64_t>,
                               std::vector<double>, std::vector<std::string>>;

  /// Errors: AssertionFailure when `storage` does not hold `schema.type`.
  Column(ColumnSchema schema, Storage storage);
  explicit Column(ColumnSchema schema);

  const ColumnSchema& schema() const { return schema_; }
  const Storage& storage() const { return storage_; }
  std::size_t size() const;

  /// Why `value` cannot stand in this column, or "" when it can.
  std::string refusal(const Value& value) const;
  /// Precondition: no refusal.
  void append(const Value& value);
  /// Appends rows begin to end - 1 of a column of the same type.
  void append_rows(const Column& other, std::size_t begin, std::size_t end);
  void reserve(std::size_t rows);

  /// The value of a row; missing where the column says so.
  Value value(std::size_t row) const;
  /// What a reader sees: the meaning of a flag, "-" for missing, else the number or text.
  std::string text(std::size_t row) const;

  /// All values. Errors: AssertionFailure when the column holds another type.
  template <class Element>
  std::span<const Element> values() const {
    const auto* held = std::get_if<std::vector<Element>>(&storage_);
    if (held == nullptr) throw_wrong_type();
    return *held;
  }

  bool operator==(const Column& other) const;

 private:
  [[noreturn]] void throw_wrong_type() const;

  ColumnSchema schema_;
  Storage storage_;
};

}  // namespace kvarium

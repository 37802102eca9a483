#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

namespace kvarium {

/// One entry of a table row: an integer, a floating-point number, a text, or missing.
/// Enumerators stand for their index, bool for 0 and 1.
class Value {
 public:
  using Storage = std::variant<std::monostate, std::int64_t, std::uint64_t, double, std::string>;

  /// A missing value.
  Value() = default;
  template <std::signed_integral Integer>
  Value(Integer value) : storage_(static_cast<std::int64_t>(value)) {}
  template <std::unsigned_integral Integer>
  Value(Integer value) : storage_(static_cast<std::uint64_t>(value)) {}
  template <class Enum>
  requires std::is_enum_v<Enum> Value(Enum value) : storage_(static_cast<std::int64_t>(value)) {}
  Value(double value) : storage_(value) {}
  Value(std::string value) : storage_(std::move(value)) {}
  Value(std::string_view value) : storage_(std::string(value)) {}
  Value(const char* value) : storage_(std::string(value)) {}

  const Storage& storage() const { return storage_; }
  bool is_missing() const { return std::holds_alternative<std::monostate>(storage_); }

  bool operator==(const Value&) const = default;

 private:
  Storage storage_;
};

/// Shortest form that reads back equal; a missing value prints as "-".
std::string to_string(const Value& value);

}  // namespace kvarium

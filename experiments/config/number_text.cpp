#include "experiments/config/number_text.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "core/check.hpp"

namespace kvarium {
namespace {

/// value = 0.d1d2d3... * 10^point, without trailing zeros.
struct Decimal {
  std::string digits;
  int point = 0;
};

/// Shortest digits that identify a positive finite value.
Decimal shortest_decimal(double value) {
  std::array<char, 32> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific);
  const std::string text(buffer.data(), result.ptr);
  const std::size_t exponent_mark = text.find('e');
  Decimal decimal;
  decimal.digits = text.substr(0, exponent_mark);
  if (decimal.digits.size() > 1) decimal.digits.erase(1, 1);
  decimal.point = std::stoi(text.substr(exponent_mark + 1)) + 1;
  return decimal;
}

std::string exponent_form(const Decimal& decimal) {
  std::string text = decimal.digits.substr(0, 1);
  if (decimal.digits.size() > 1) text += '.';
  text.append(decimal.digits, 1);
  const int exponent = decimal.point - 1;
  text += exponent < 0 ? "e-" : "e+";
  return text += std::to_string(std::abs(exponent));
}

std::string positive_text(double value) {
  const Decimal decimal = shortest_decimal(value);
  const int count = static_cast<int>(decimal.digits.size());
  if (decimal.point > 21 || decimal.point <= -6) return exponent_form(decimal);
  if (decimal.point <= 0) return "0." + std::string(static_cast<std::size_t>(-decimal.point), '0') + decimal.digits;
  const auto point = static_cast<std::size_t>(decimal.point);
  if (decimal.point >= count) return decimal.digits + std::string(point - decimal.digits.size(), '0');
  return decimal.digits.substr(0, point) + "." + decimal.digits.substr(point);
}

}  // namespace

std::string number_text(double value) {
  KVARIUM_EXPECT(std::isfinite(value));
  if (value == 0.0) return "0";
  std::string text = value < 0.0 ? "-" : "";
  return text += positive_text(std::abs(value));
}

}  // namespace kvarium

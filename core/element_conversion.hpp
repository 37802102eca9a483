#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "core/element_type.hpp"

namespace kvarium {

/// Layout of a binary floating-point format of at most 16 bits, sign in the top bit.
struct SmallFloatFormat {
  int exponent_bits;
  int mantissa_bits;
  int bias;
  std::uint32_t largest_finite;  ///< code of the largest finite value
  std::uint32_t overflow;        ///< code a too large value becomes
  std::uint32_t quiet_nan;
};

/// IEEE 754 binary16; overflow gives infinity.
inline constexpr SmallFloatFormat float16_format{5, 10, 15, 0x7BFF, 0x7C00, 0x7E00};
/// OCP e4m3fn: the top code is NaN, every other one is finite; overflow saturates.
inline constexpr SmallFloatFormat float8_e4m3_format{4, 3, 7, 0x7E, 0x7E, 0x7F};
/// OCP e5m2: has infinities, but overflow saturates.
inline constexpr SmallFloatFormat float8_e5m2_format{5, 2, 15, 0x7B, 0x7B, 0x7E};

/// The exact value of a code. e4m3 has no infinity, so only its top code is special.
inline float decode_small_float(std::uint32_t code, const SmallFloatFormat& format) {
  const std::uint32_t sign = code >> (format.exponent_bits + format.mantissa_bits);
  const std::uint32_t magnitude = code & ((1U << (format.exponent_bits + format.mantissa_bits)) - 1U);
  float value = 0.0F;
  if (magnitude > format.largest_finite) {
    const bool infinite = format.overflow > format.largest_finite ? magnitude == format.overflow
                                                                  : magnitude == format.largest_finite + 1 &&
                                                                        format.quiet_nan != magnitude;
    value = infinite ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
  } else {
    const std::uint32_t exponent = magnitude >> format.mantissa_bits;
    const std::uint32_t fraction = magnitude & ((1U << format.mantissa_bits) - 1U);
    const std::uint32_t significand = exponent == 0 ? fraction : fraction | (1U << format.mantissa_bits);
    const int scale = (exponent == 0 ? 1 : static_cast<int>(exponent)) - format.bias - format.mantissa_bits;
    value = std::ldexp(static_cast<float>(significand), scale);
  }
  return sign != 0 ? -value : value;
}

/// Rounds to nearest even; beyond the largest finite value gives `format.overflow` (fp8 saturates, infinity too).
inline std::uint32_t encode_small_float(float value, const SmallFloatFormat& format) {
  const std::uint32_t sign = std::signbit(value) ? 1U << (format.exponent_bits + format.mantissa_bits) : 0U;
  const float magnitude = std::fabs(value);
  if (std::isnan(magnitude)) return sign | format.quiet_nan;
  if (std::isinf(magnitude)) return sign | format.overflow;
  const int smallest = 1 - format.bias;
  const int exponent = magnitude == 0.0F ? smallest : std::max(std::ilogb(magnitude), smallest);
  // Scaling by a power of two is exact, so this is the only rounding.
  const float steps = std::nearbyint(std::ldexp(magnitude, format.mantissa_bits - exponent));
  const auto biased = static_cast<std::int64_t>(exponent) + format.bias - 1;
  const std::int64_t code = (biased << format.mantissa_bits) + static_cast<std::int64_t>(steps);
  return sign | (code > format.largest_finite ? format.overflow : static_cast<std::uint32_t>(code));
}

/// The exact value of a code.
inline float decode_bfloat16(std::uint16_t code) { return std::bit_cast<float>(std::uint32_t{code} << 16); }

/// Rounds to nearest even; NaN stays NaN whatever its payload.
inline std::uint16_t encode_bfloat16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>((bits >> 16) | 0x0040U);
  const std::uint32_t rounding = 0x7FFFU + ((bits >> 16) & 1U);
  return static_cast<std::uint16_t>((bits + rounding) >> 16);
}

/// Value of a stored element's bits (little-endian in the low bytes of `bits`), scale not applied.
inline float decode_element(std::uint32_t bits, ElementType type) {
  switch (type) {
    case ElementType::float32: return std::bit_cast<float>(bits);
    case ElementType::float16: return decode_small_float(bits, float16_format);
    case ElementType::bfloat16: return decode_bfloat16(static_cast<std::uint16_t>(bits));
    case ElementType::float8_e4m3: return decode_small_float(bits, float8_e4m3_format);
    case ElementType::float8_e5m2: return decode_small_float(bits, float8_e5m2_format);
  }
  return 0.0F;
}

/// Bits of the element nearest to `value`, ties to even; fp8 saturates.
inline std::uint32_t encode_element(float value, ElementType type) {
  switch (type) {
    case ElementType::float32: return std::bit_cast<std::uint32_t>(value);
    case ElementType::float16: return encode_small_float(value, float16_format);
    case ElementType::bfloat16: return encode_bfloat16(value);
    case ElementType::float8_e4m3: return encode_small_float(value, float8_e4m3_format);
    case ElementType::float8_e5m2: return encode_small_float(value, float8_e5m2_format);
  }
  return 0;
}

/// Bits of element `index` of an array of `type` at `data` (any alignment).
inline std::uint32_t load_element_bits(const void* data, std::int64_t index, ElementType type) {
  std::uint32_t bits = 0;
  const int bytes = element_bytes(type);
  std::memcpy(&bits, static_cast<const std::byte*>(data) + index * bytes, static_cast<std::size_t>(bytes));
  return bits;
}

/// Writes the low bytes of `bits` as element `index` of an array of `type` at `data` (any alignment).
inline void store_element_bits(void* data, std::int64_t index, ElementType type, std::uint32_t bits) {
  const int bytes = element_bytes(type);
  std::memcpy(static_cast<std::byte*>(data) + index * bytes, &bits, static_cast<std::size_t>(bytes));
}

/// Value of element `index` of an array of `type` at `data` (any alignment), scale not applied.
inline float load_element(const void* data, std::int64_t index, ElementType type) {
  return decode_element(load_element_bits(data, index, type), type);
}

/// Writes the element nearest to `value`; see encode_element.
inline void store_element(void* data, std::int64_t index, ElementType type, float value) {
  store_element_bits(data, index, type, encode_element(value, type));
}

}  // namespace kvarium

#pragma once

#include "kernels/cuda/device/types.cuh"

namespace kvarium {

/// An 8-bit floating-point format.
struct Float8Format {
  int mantissa_bits;
  int bias;
  uint32 largest_finite;  ///< code of the largest finite value; larger ones saturate to it
  uint32 quiet_nan;
};

/// Both as in core/element_conversion.hpp.
constexpr Float8Format float8_e4m3_format{3, 7, 0x7E, 0x7F};
constexpr Float8Format float8_e5m2_format{2, 15, 0x7B, 0x7E};

/// e5m2 is the upper half of float16.
inline uint16 float16_of_e5m2(uint8 code) { return static_cast<uint16>(uint32{code} << 8); }

/// Every e4m3 value is a float16.
inline uint16 float16_of_e4m3(uint8 code) {
#if __CUDA_ARCH__ >= 890
  uint32 pair;
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(pair) : "h"(uint16{code}));
  return static_cast<uint16>(pair);
#else
  const uint32 magnitude = code & 0x7FU;
  const uint32 sign = (uint32{code} & 0x80U) << 8;
  if (magnitude == 0x7FU) return static_cast<uint16>(sign | 0x7E00U);
  // Read with float16's exponent bias of 15 instead of 7 the value is 2^-8 of what it means.
  uint16 scaled;
  asm("mul.rn.f16 %0, %1, %2;" : "=h"(scaled) : "h"(static_cast<uint16>(magnitude << 7)), "h"(uint16{0x5C00}));
  return static_cast<uint16>(sign | scaled);
#endif
}

/// Rounds to nearest even, saturates (infinity too), keeps the sign of NaN; the same bits as the host.
template <Float8Format format>
uint8 encode_float8(float value) {
  const uint32 bits = __float_as_uint(value);
  const uint32 sign = (bits >> 24) & 0x80U;
  const uint32 magnitude = bits & 0x7FFFFFFFU;
  if (magnitude > 0x7F800000U) return static_cast<uint8>(sign | format.quiet_nan);
  if (magnitude == 0x7F800000U) return static_cast<uint8>(sign | format.largest_finite);
  const int exponent = larger(static_cast<int>(magnitude >> 23) - 127, 1 - format.bias);
  // In steps of the result's last place; scaling by a power of two is exact and rint is the only rounding.
  const int scale = format.mantissa_bits - exponent;
  const float steps = rintf(ldexpf(__uint_as_float(magnitude), scale));
  const int code = ((exponent + format.bias - 1) << format.mantissa_bits) + static_cast<int>(steps);
  return static_cast<uint8>(sign | smaller(static_cast<uint32>(code), format.largest_finite));
}

}  // namespace kvarium

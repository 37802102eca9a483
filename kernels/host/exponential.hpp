#pragma once

#include "kernels/host/vector16.hpp"

namespace kvarium::host {

/// exp of sixteen values <= 88, within 2 units in the last place; below -87.3 gives 0; NaN stays NaN.
/// Range reduction by multiples of log 2 (in two parts, as in Cody and Waite), then a Taylor polynomial of degree 7 on
/// [-log(2)/2, log(2)/2], whose truncation error is 6e-9.
inline Vector16 exponential(const Vector16& values) {
  const Vector16 smallest = broadcast(-87.3F);
  const auto underflows = values < smallest;
  const Vector16 clamped = underflows ? smallest : values;
  // Adding 1.5 * 2^23 rounds to an integer in the mantissa's low bits.
  const Vector16 magic = broadcast(12582912.0F);
  const Vector16 multiple = (clamped * 1.44269504F + magic) - magic;
  const Vector16 rest = (clamped - multiple * 0.693359375F) + multiple * 2.12194440e-4F;
  Vector16 series = broadcast(1.0F / 5040.0F);
  series = series * rest + 1.0F / 720.0F;
  series = series * rest + 1.0F / 120.0F;
  series = series * rest + 1.0F / 24.0F;
  series = series * rest + 1.0F / 6.0F;
  series = series * rest + 0.5F;
  series = series * rest + 1.0F;
  series = series * rest + 1.0F;
  const Integer16 exponent = (__builtin_convertvector(multiple, Integer16) + 127) << 23;
  const Vector16 result = series * reinterpret_cast<Vector16>(exponent);
  return underflows ? Vector16{} : result;
}

}  // namespace kvarium::host

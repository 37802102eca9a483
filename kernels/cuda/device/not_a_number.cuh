#pragma once

#include "kernels/cuda/device/element.cuh"

namespace kvarium {

/// Whether the sign bit of a stored element is set. Read from the element, not from its value: the processor's
/// conversions make every NaN a positive one.
template <ElementType type>
bool is_negative(RawElement<type> raw) {
  if constexpr (type == ElementType::float32) {
    return __float_as_uint(raw) >> 31 != 0;
  } else {
    return raw >> (8 * sizeof(raw) - 1) != 0;
  }
}

/// The quiet NaN of `type` without payload: the code that the host's conversions store.
template <ElementType type>
RawElement<type> quiet_nan(bool negative) {
  if constexpr (type == ElementType::float32) return __uint_as_float(negative ? 0xFFC00000U : 0x7FC00000U);
  if constexpr (type == ElementType::float16) return static_cast<uint16>(negative ? 0xFE00U : 0x7E00U);
  if constexpr (type == ElementType::bfloat16) return static_cast<uint16>(negative ? 0xFFC0U : 0x7FC0U);
  if constexpr (type == ElementType::float8_e4m3) return static_cast<uint8>(negative ? 0xFFU : 0x7FU);
  if constexpr (type == ElementType::float8_e5m2) return static_cast<uint8>(negative ? 0xFEU : 0x7EU);
}

}  // namespace kvarium

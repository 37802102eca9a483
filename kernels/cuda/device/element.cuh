#pragma once

#include "kernels/cuda/device/float8.cuh"
#include "kernels/cuda/device/types.cuh"

namespace kvarium {

/// An unsigned integer of one element's size.
template <ElementType type>
using ElementBits = Selected<element_bytes(type) == 4, uint32, Selected<element_bytes(type) == 2, uint16, uint8>>;

/// Raw storage of one element.
template <ElementType type>
using RawElement = Selected<type == ElementType::float32, float, ElementBits<type>>;

/// The exact value of a float16 code; of NaN neither sign nor payload is kept.
inline float decode_float16(uint16 code) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(code));
  return value;
}

/// Rounds to nearest even; every NaN becomes 0x7FFF.
inline uint16 encode_float16(float value) {
  uint16 code;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(code) : "f"(value));
  return code;
}

/// The exact value of a bfloat16 code.
inline float decode_bfloat16(uint16 code) { return __uint_as_float(uint32{code} << 16); }

/// Rounds to nearest even; every NaN becomes 0x7FFF.
inline uint16 encode_bfloat16(float value) {
  uint16 code;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(code) : "f"(value));
  return code;
}

/// The exact value of a stored element, scale not applied.
template <ElementType type>
float decode(RawElement<type> raw) {
  if constexpr (type == ElementType::float32) return raw;
  if constexpr (type == ElementType::float16) return decode_float16(raw);
  if constexpr (type == ElementType::bfloat16) return decode_bfloat16(raw);
  if constexpr (type == ElementType::float8_e4m3) return decode_float16(float16_of_e4m3(raw));
  if constexpr (type == ElementType::float8_e5m2) return decode_float16(float16_of_e5m2(raw));
}

/// The element nearest to `value`, ties to even; fp8 saturates.
template <ElementType type>
RawElement<type> encode(float value) {
  if constexpr (type == ElementType::float32) return value;
  if constexpr (type == ElementType::float16) return encode_float16(value);
  if constexpr (type == ElementType::bfloat16) return encode_bfloat16(value);
  if constexpr (type == ElementType::float8_e4m3) return encode_float8<float8_e4m3_format>(value);
  if constexpr (type == ElementType::float8_e5m2) return encode_float8<float8_e5m2_format>(value);
}

/// The bits of element `index` of an array.
template <ElementType type>
ElementBits<type> load_bits(const void* data, int64 index = 0) {
  return static_cast<const ElementBits<type>*>(data)[index];
}

/// The exact value of element `index` of an array, scale not applied.
template <ElementType type>
float load_element(const void* data, int64 index) {
  return decode<type>(static_cast<const RawElement<type>*>(data)[index]);
}

/// Writes the element nearest to `value`; see encode.
template <ElementType type>
void store_element(void* data, int64 index, float value) {
  static_cast<RawElement<type>*>(data)[index] = encode<type>(value);
}

}  // namespace kvarium

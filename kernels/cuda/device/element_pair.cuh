#pragma once

#include "kernels/cuda/device/element.cuh"

namespace kvarium {

/// Two floats rounded to 16-bit elements; `first` in the lower half.
template <ElementType type>
uint32 encode_pair(float first, float second) {
  uint32 pair;
  if constexpr (type == ElementType::bfloat16) {
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(second), "f"(first));
  } else {
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(second), "f"(first));
  }
  return pair;
}

/// Two fp8 elements in the lower 16 bits of `codes` as float16; exact.
template <ElementType type>
uint32 float16_pair_of_float8(uint32 codes) {
  if constexpr (type == ElementType::float8_e5m2) return __byte_perm(codes, 0, 0x1404);
#if __CUDA_ARCH__ >= 890
  uint32 pair;
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(pair) : "h"(static_cast<uint16>(codes)));
  return pair;
#else
  const uint32 first = float16_of_e4m3(static_cast<uint8>(codes & 0xFFU));
  const uint32 second = float16_of_e4m3(static_cast<uint8>(codes >> 8 & 0xFFU));
  return first | second << 16;
#endif
}

/// Two neighbouring elements of a cache as two elements of the query's type; exact, since every fp8 value is one of
/// float16 and of bfloat16. `words` holds elements as they lie in memory, `index` counts pairs.
template <ElementType cache_type, ElementType query_type>
uint32 operand_pair(const uint32* words, int index) {
  if constexpr (!is_float8(cache_type)) {
    static_assert(cache_type == query_type, "16-bit elements are not converted");
    return words[index];
  } else {
    const uint32 codes = index % 2 == 0 ? words[index / 2] & 0xFFFFU : words[index / 2] >> 16;
    const uint32 pair = float16_pair_of_float8<cache_type>(codes);
    if constexpr (query_type == ElementType::float16) return pair;
    return encode_pair<query_type>(decode_float16(static_cast<uint16>(pair & 0xFFFFU)),
                                   decode_float16(static_cast<uint16>(pair >> 16)));
  }
}

}  // namespace kvarium

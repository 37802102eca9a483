#pragma once

#include "kernels/cuda/device/element_pair.cuh"

namespace kvarium {

constexpr int elements_per_word(ElementType type) { return 4 / element_bytes(type); }

/// The exact values of the elements that lie in one word of memory, scale not applied.
template <ElementType type>
void decode_word(uint32 word, float* values) {
  if constexpr (type == ElementType::float32) {
    values[0] = __uint_as_float(word);
  } else if constexpr (type == ElementType::bfloat16) {
    values[0] = __uint_as_float(word << 16);
    values[1] = __uint_as_float(word & 0xFFFF0000U);
  } else if constexpr (type == ElementType::float16) {
    values[0] = decode_float16(static_cast<uint16>(word & 0xFFFFU));
    values[1] = decode_float16(static_cast<uint16>(word >> 16));
  } else {
    decode_word<ElementType::float16>(float16_pair_of_float8<type>(word & 0xFFFFU), values);
    decode_word<ElementType::float16>(float16_pair_of_float8<type>(word >> 16), values + 2);
  }
}

/// The same for neighbouring words.
template <ElementType type, int words>
void decode_words(const uint32 (&word)[words], float (&values)[words * elements_per_word(type)]) {
#pragma unroll
  for (int i = 0; i < words; ++i) decode_word<type>(word[i], values + i * elements_per_word(type));
}

}  // namespace kvarium

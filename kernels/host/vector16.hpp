#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__F16C__) || defined(__AVX512BW__)
#include <immintrin.h>
#endif

#include "core/element_conversion.hpp"

// Sixteen float32 lanes in the compiler's own vector type: one AVX-512 register, two of AVX2, four of SSE or
// NEON. Kokkos 3.4, the oldest supported, has no SIMD types.
namespace kvarium::host {

/// Elements of a vector.
inline constexpr int lanes = 16;

using Vector16 = float __attribute__((vector_size(64)));
using Integer16 = std::int32_t __attribute__((vector_size(64)));
using Unsigned16 = std::uint32_t __attribute__((vector_size(64)));
using Half16 = std::uint16_t __attribute__((vector_size(32)));
using Byte16 = std::uint8_t __attribute__((vector_size(16)));

/// `value` in every lane.
inline Vector16 broadcast(float value) { return value - Vector16{}; }

/// Lanes from memory of any alignment.
template <class Vector>
Vector load(const void* data) {
  Vector vector;
  std::memcpy(&vector, data, sizeof(Vector));
  return vector;
}

/// Lanes to memory of any alignment.
inline void store(float* data, const Vector16& vector) { std::memcpy(data, &vector, sizeof(Vector16)); }

/// The larger of each pair of lanes; `right` where one is NaN.
inline Vector16 maximum(const Vector16& left, const Vector16& right) { return left > right ? left : right; }

/// Sum of the lanes in a fixed tree order.
inline float sum_lanes(const Vector16& vector) {
  using Vector8 = float __attribute__((vector_size(32)));
  using Vector4 = float __attribute__((vector_size(16)));
  const Vector8 eight = __builtin_shufflevector(vector, vector, 0, 1, 2, 3, 4, 5, 6, 7) +
                        __builtin_shufflevector(vector, vector, 8, 9, 10, 11, 12, 13, 14, 15);
  const Vector4 four =
      __builtin_shufflevector(eight, eight, 0, 1, 2, 3) + __builtin_shufflevector(eight, eight, 4, 5, 6, 7);
  return (four[0] + four[2]) + (four[1] + four[3]);
}

/// Eight sums of lanes at once: `sums[i]` is the sum of vector i, in a fixed tree order. Pairs of vectors
/// fold into halves of one, which takes half the shuffles of eight single sums. Inlined, or they would pass through
/// memory.
[[gnu::always_inline]] inline void sum_lanes(const Vector16 (&vectors)[8], float* sums) {
  const auto fold_eight = [](const Vector16& a, const Vector16& b) {
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23) +
           __builtin_shufflevector(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
  };
  const auto fold_four = [](const Vector16& a, const Vector16& b) {
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27) +
           __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
  };
  const auto fold_two = [](const Vector16& a, const Vector16& b) {
    return __builtin_shufflevector(a, b, 0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29) +
           __builtin_shufflevector(a, b, 2, 3, 6, 7, 10, 11, 14, 15, 18, 19, 22, 23, 26, 27, 30, 31);
  };
  const Vector16 low = fold_four(fold_eight(vectors[0], vectors[1]), fold_eight(vectors[2], vectors[3]));
  const Vector16 high = fold_four(fold_eight(vectors[4], vectors[5]), fold_eight(vectors[6], vectors[7]));
  const Vector16 pairs = fold_two(low, high);
  using Vector8 = float __attribute__((vector_size(32)));
  const Vector8 total = __builtin_shufflevector(pairs, pairs, 0, 2, 4, 6, 8, 10, 12, 14) +
                        __builtin_shufflevector(pairs, pairs, 1, 3, 5, 7, 9, 11, 13, 15);
  std::memcpy(sums, &total, sizeof(total));
}

/// The largest lane.
inline float maximum_lane(const Vector16& vector) {
  Vector16 largest = vector;
  largest =
      maximum(largest, __builtin_shufflevector(largest, largest, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
  largest =
      maximum(largest, __builtin_shufflevector(largest, largest, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11));
  largest =
      maximum(largest, __builtin_shufflevector(largest, largest, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13));
  return largest[0] > largest[1] ? largest[0] : largest[1];
}

/// float16 codes to float32, exact.
inline Vector16 decode_halves(const Half16& codes) {
  Vector16 values;
#if defined(__AVX512F__)
  const __m512 wide = _mm512_maskz_cvtph_ps(0xFFFF, reinterpret_cast<const __m256i&>(codes));
  std::memcpy(&values, &wide, sizeof(values));
#elif defined(__F16C__)
  __m128i narrow[2];
  std::memcpy(narrow, &codes, sizeof(narrow));
  const __m256 wide[2] = {_mm256_cvtph_ps(narrow[0]), _mm256_cvtph_ps(narrow[1])};
  std::memcpy(&values, wide, sizeof(values));
#else
  for (int lane = 0; lane < lanes; ++lane) values[lane] = decode_small_float(codes[lane], float16_format);
#endif
  return values;
}

/// Codes that are the upper halves of float32 values (bfloat16), exact. One permutation where the compiler would make
/// five instructions of a conversion.
inline Vector16 decode_upper_halves(const Half16& codes) {
#if defined(__AVX512BW__)
  const __m512i order = _mm512_set_epi32(15 << 16, 14 << 16, 13 << 16, 12 << 16, 11 << 16, 10 << 16, 9 << 16, 8 << 16,
                                         7 << 16, 6 << 16, 5 << 16, 4 << 16, 3 << 16, 2 << 16, 1 << 16, 0);
  const auto wide = reinterpret_cast<__m512i>(__builtin_shufflevector(codes, codes, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
                                                                      11, 12, 13, 14, 15, -1, -1, -1, -1, -1, -1, -1,
                                                                      -1, -1, -1, -1, -1, -1, -1, -1, -1));
  const __m512i bits = _mm512_maskz_permutexvar_epi16(0xAAAAAAAA, order, wide);
  Vector16 values;
  std::memcpy(&values, &bits, sizeof(values));
  return values;
#else
  return reinterpret_cast<Vector16>(__builtin_convertvector(codes, Unsigned16) << 16);
#endif
}

/// Codes of sixteen elements to float32, exact. `Type` is the storage type.
template <ElementType Type>
struct Decoder;

template <>
struct Decoder<ElementType::float32> {
  using Codes = Vector16;
  static Vector16 decode(const Codes& codes) { return codes; }
};

template <>
struct Decoder<ElementType::float16> {
  using Codes = Half16;
  static Vector16 decode(const Codes& codes) { return decode_halves(codes); }
};

template <>
struct Decoder<ElementType::bfloat16> {
  using Codes = Half16;
  static Vector16 decode(const Codes& codes) { return decode_upper_halves(codes); }
};

template <>
struct Decoder<ElementType::float8_e5m2> {
  using Codes = Byte16;
  /// e5m2 is the upper half of float16.
  static Vector16 decode(const Codes& codes) { return decode_halves(__builtin_convertvector(codes, Half16) << 8); }
};

template <>
struct Decoder<ElementType::float8_e4m3> {
  using Codes = Byte16;
  /// The bits shifted into float16 are the value over 2^8 (biases 7 and 15), subnormals included; only the top
  /// code, NaN, must be put back.
  static Vector16 decode(const Codes& codes) {
    const Half16 wide = __builtin_convertvector(codes, Half16);
    const Half16 magnitude = wide & 0x7F;
    const Half16 shifted = ((wide & 0x80) << 8) | (magnitude << 7);
    const Half16 quiet_nan = Half16{} + static_cast<std::uint16_t>(float16_format.quiet_nan);
    return decode_halves(magnitude == 0x7F ? quiet_nan : shifted) * 256.0F;
  }
};

}  // namespace kvarium::host

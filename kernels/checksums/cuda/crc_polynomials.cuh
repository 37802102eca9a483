#pragma once

#include "kernels/cuda/device/types.cuh"

namespace kvarium {

/// Polynomials over two elements modulo one of degree 8 * sizeof(Word), whose lower coefficients are `polynomial`.
/// Reflected: the highest bit of a word stands for x^0; else the lowest does. A register starts as `edge` and is xored
/// with it at the end.
template <class Number, Number polynomial, bool is_reflected, Number register_edge>
struct CrcRing {
  using Word = Number;
  static constexpr int bits = 8 * sizeof(Word);
  static constexpr Word one = is_reflected ? Word{1} << (bits - 1) : Word{1};
  static constexpr Word edge = register_edge;

  /// The remainder times x^`count`.
  static constexpr Word shifted(Word remainder, int count) {
    for (int i = 0; i < count; ++i) {
      if constexpr (is_reflected) {
        remainder = remainder >> 1 ^ ((remainder & 1) != 0 ? polynomial : Word{0});
      } else {
        remainder = remainder << 1 ^ (remainder >> (bits - 1) != 0 ? polynomial : Word{0});
      }
    }
    return remainder;
  }

  static constexpr Word product(Word left, Word right) {
    Word product = 0;
    for (int i = 0; i < bits; ++i) {
      const Word coefficient = is_reflected ? left >> (bits - 1 - i) : left >> i;
      product ^= (coefficient & 1) != 0 ? right : Word{0};
      right = shifted(right, 1);
    }
    return product;
  }

  /// What `count` bytes, the first in the lowest bits, leave in a register of zeros.
  static constexpr Word after_bytes(uint32 bytes, int count) {
    if constexpr (is_reflected) return shifted(bytes, 8 * count);
    Word entering = 0;
    for (int i = 0; i < count; ++i) entering |= static_cast<Word>(bytes >> (8 * i) & 0xFFU) << (bits - 8 * (i + 1));
    return shifted(entering, 8 * count);
  }
};

/// Powers base^(2^k), so that any power takes few products.
template <class Ring>
struct CrcPowers {
  typename Ring::Word squares[40];

  constexpr explicit CrcPowers(typename Ring::Word base) : squares{} {
    for (int k = 0; k < 40; ++k) {
      squares[k] = base;
      base = Ring::product(base, base);
    }
  }

  /// base^exponent.
  constexpr typename Ring::Word power(uint64 exponent) const {
    typename Ring::Word product = Ring::one;
    for (int k = 0; exponent != 0; ++k, exponent >>= 1) {
      if ((exponent & 1) != 0) product = Ring::product(product, squares[k]);
    }
    return product;
  }
};

using Crc32Ring = CrcRing<uint32, 0xEDB88320U, true, 0xFFFFFFFFU>;
using Crc32cRing = CrcRing<uint32, 0x82F63B78U, true, 0xFFFFFFFFU>;
using Crc64EcmaRing = CrcRing<uint64, 0x42F0E1EBA9EA3693ULL, false, 0>;

}  // namespace kvarium

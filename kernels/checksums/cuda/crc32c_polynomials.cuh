#pragma once

#include "kernels/cuda/device/types.cuh"

namespace kvarium {

// Polynomials over two elements modulo that of CRC-32C, bits reversed: bit 31 stands for x^0.
constexpr uint32 crc_polynomial = 0x82F63B78U;
constexpr uint32 crc_one = 0x80000000U;

/// The remainder times x^`bits`.
constexpr uint32 crc_shifted(uint32 remainder, int bits) {
  for (int i = 0; i < bits; ++i) remainder = remainder >> 1 ^ ((remainder & 1U) != 0 ? crc_polynomial : 0U);
  return remainder;
}

constexpr uint32 crc_product(uint32 left, uint32 right) {
  uint32 product = 0;
  for (int i = 0; i < 32; ++i) {
    product ^= (left & (crc_one >> i)) != 0 ? right : 0U;
    right = crc_shifted(right, 1);
  }
  return product;
}

/// Powers base^(2^k), so that any power takes few products.
struct CrcPowers {
  uint32 squares[40];

  constexpr explicit CrcPowers(uint32 base) : squares{} {
    for (int k = 0; k < 40; ++k) {
      squares[k] = base;
      base = crc_product(base, base);
    }
  }
};

/// base^exponent by its table.
inline uint32 crc_power(const CrcPowers& powers, uint64 exponent) {
  uint32 product = crc_one;
  for (int k = 0; exponent != 0; ++k, exponent >>= 1) {
    if ((exponent & 1) != 0) product = crc_product(product, powers.squares[k]);
  }
  return product;
}

}  // namespace kvarium

#pragma once

#include "kernels/cuda/device/types.cuh"

namespace kvarium {

/// `sum` and a word's unsigned elements of 1 or 2 bytes, each times its byte of `factors`, the first one's lowest.
template <int element_bytes>
uint32 add_products(uint32 word, uint32 factors, uint32 sum) {
  static_assert(element_bytes == 1 || element_bytes == 2, "elements of 1 or 2 bytes");
  uint32 result;
  if constexpr (element_bytes == 2) {
    asm("dp2a.lo.u32.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(word), "r"(factors), "r"(sum));
  } else {
    asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(word), "r"(factors), "r"(sum));
  }
  return result;
}

}  // namespace kvarium

#pragma once

#include "kernels/cuda/device/types.cuh"

namespace kvarium {

/// sums += left * right on the tensor cores: left [16, 16] by rows, right [16, 8] by columns, both of `type` (float16
/// or bfloat16), sums [16, 8] float32. Lane l holds, with row = l / 4 and column = 2 * (l % 4): left[0..3] at (row,
/// column), (row + 8, column), (row, column + 8), (row + 8, column + 8), two elements each; right[0..1] at (column,
/// row), (column + 8, row), two elements each; sums[0..3] at (row, column), (row, column + 1), (row + 8, column), (row
/// + 8, column + 1). Source: PTX ISA, mma.m16n8k16.
template <ElementType type>
void multiply_add(float (&sums)[4], const uint32 (&left)[4], const uint32 (&right)[2]) {
  static_assert(type == ElementType::float16 || type == ElementType::bfloat16,
                "tensor cores take 16-bit operands here");
  if constexpr (type == ElementType::bfloat16) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right[0]), "r"(right[1]));
  } else {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right[0]), "r"(right[1]));
  }
}

/// Transposes an [8, 8] matrix of 16-bit elements; lane l holds row l / 4, elements 2 * (l % 4) and the next, before
/// and after. Source: PTX ISA, movmatrix.
inline uint32 transpose_matrix(uint32 pair) {
  uint32 transposed;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(transposed) : "r"(pair));
  return transposed;
}

/// The lower halves of two words, `first` below; and the upper ones.
inline uint32 join_lower(uint32 first, uint32 second) { return __byte_perm(first, second, 0x5410); }
inline uint32 join_upper(uint32 first, uint32 second) { return __byte_perm(first, second, 0x7632); }

}  // namespace kvarium

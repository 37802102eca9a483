#include "kernels/checksums/cuda/walk_cells.cuh"

// Adler-32 of n bytes is A = 1 + sum of b and B = n + sum of (bytes from b on to the end) * b, modulo 65521: sums, and
// so free of order.

namespace kvarium {

constexpr uint64 adler_modulus = 65521;

struct Adler32 {
  int64 bytes;  ///< of the row
  uint64 plain = 0;
  uint64 weighted = 0;

  Adler32(const CellSumParameters& parameters, const WalkedRow& row)
      : bytes(row_bytes(parameters, row.cells.valid_tokens)) {}

  void add(const ElementPlace& place, uint32 bits) {
    const int64 begin = place.cell * cell_size + place.byte;
#pragma unroll
    for (int i = 0; i < element_size; ++i) {
      const uint64 byte = (bits >> (8 * i)) & 0xFFU;
      plain += byte;
      weighted += static_cast<uint64>(bytes - begin - i) * byte;
    }
  }

  /// Rests of a warp's sums stay below 2^22, so that even 2^40 of them fit.
  void flush(const CellSumParameters& parameters, const WalkedRow& row) const {
    const uint64 all_plain = add_over_warp(plain % adler_modulus);
    const uint64 all_weighted = add_over_warp(weighted % adler_modulus);
    if (!is_first_lane()) return;
    uint64* sums = parameters.workspace + 2 * row.row;
    atomicAdd(sums, all_plain);
    atomicAdd(sums + 1, all_weighted);
  }
};

inline void finish_adler32(const CellSumParameters& parameters, int64 row, int64 valid_tokens) {
  const uint64* sums = parameters.workspace + 2 * row;
  const uint64 a = (1 + sums[0]) % adler_modulus;
  const uint64 b = (static_cast<uint64>(row_bytes(parameters, valid_tokens)) + sums[1]) % adler_modulus;
  parameters.out[row] = b << 16 | a;
}

}  // namespace kvarium

extern "C" __global__ void __launch_bounds__(kvarium::walk_threads)
    walk(const __grid_constant__ kvarium::CellSumParameters parameters) {
  kvarium::walk_cells<kvarium::Adler32>(parameters);
}

extern "C" __global__ void __launch_bounds__(kvarium::walk_threads)
    finish(const __grid_constant__ kvarium::CellSumParameters parameters) {
  kvarium::finish_rows(parameters, kvarium::finish_adler32);
}

#include "kernels/checksums/cuda/crc32c_polynomials.cuh"
#include "kernels/checksums/cuda/walk_cells.cuh"

// CRC-32C is linear: the register after a message is the exclusive or of what each element leaves behind, moved on by
// the bytes that follow it, and of what the starting register leaves behind.

namespace kvarium {

constexpr CrcPowers powers_of_byte(crc_shifted(crc_one, 8));

/// x^(8 * bytes) for the distances within a cell.
struct CellDistances {
  uint32 factors[2 * variant::head_size];

  constexpr CellDistances() : factors{} {
    uint32 factor = crc_one;
    for (uint32& entry : factors) {
      entry = factor;
      factor = crc_shifted(factor, 8 * element_size);
    }
  }
};

constexpr CellDistances cell_distances;

struct Crc32c {
  int64 cells;           ///< of the row
  int64 open_cell = -1;  ///< whose elements are being added
  uint32 open_part = 0;  ///< what they leave behind at the end of their cell
  uint32 remainder = 0;

  Crc32c(const CellSumParameters& parameters, const WalkedRow& row)
      : cells(int64{parameters.all_layers} * variant::num_kv_heads * row.cells.valid_tokens) {}

  void add(const ElementPlace& place, uint32 bits) {
    if (place.cell != open_cell) close();
    open_cell = place.cell;
    const int elements_after = (2 * half_cell_bytes - place.byte) / element_size - 1;
    open_part ^= crc_product(crc_shifted(bits, 8 * element_size), cell_distances.factors[elements_after]);
  }

  void close() {
    if (open_cell < 0) return;
    const uint64 bytes_after = static_cast<uint64>(cells - open_cell - 1) * 2 * half_cell_bytes;
    remainder ^= crc_product(open_part, crc_power(powers_of_byte, bytes_after));
    open_part = 0;
  }

  void flush(const CellSumParameters& parameters, const WalkedRow& row) {
    close();
    const uint64 total = fold_over_warp(remainder);
    if (is_first_lane()) atomicXor(parameters.out + row.row, total);
  }
};

inline void finish_crc32c(const CellSumParameters& parameters, int64 row, int64 valid_tokens) {
  const uint32 factor = crc_power(powers_of_byte, static_cast<uint64>(row_bytes(parameters, valid_tokens)));
  const uint32 start = crc_product(0xFFFFFFFFU, factor);
  parameters.out[row] = static_cast<uint32>(~(static_cast<uint32>(parameters.out[row]) ^ start));
}

}  // namespace kvarium

extern "C" __global__ void __launch_bounds__(kvarium::walk_threads)
    walk(const __grid_constant__ kvarium::CellSumParameters parameters) {
  kvarium::walk_cells<kvarium::Crc32c>(parameters);
}

extern "C" __global__ void __launch_bounds__(kvarium::walk_threads)
    finish(const __grid_constant__ kvarium::CellSumParameters parameters) {
  kvarium::finish_rows(parameters, kvarium::finish_crc32c);
}

#include "kernels/checksums/cuda/walk_cells.cuh"

namespace kvarium {

/// Sum of the pieces modulo 2^64: an element adds its share of the piece that holds it.
struct PlainSum {
  uint64 sum = 0;

  PlainSum(const CellSumParameters&, const WalkedRow&) {}

  void add(const ElementPlace& place, uint32 bits) {
    if constexpr (variant::piece_width >= element_size) {
      sum += uint64{bits} << (8 * (place.byte % variant::piece_width));
    } else {
      constexpr uint32 mask = ~uint32{0} >> (32 - 8 * smaller(variant::piece_width, 4));
      for (int byte = 0; byte < element_size; byte += variant::piece_width) sum += (bits >> (8 * byte)) & mask;
    }
  }

  void flush(const CellSumParameters& parameters, const WalkedRow& row) const {
    const uint64 total = add_over_warp(sum);
    if (is_first_lane()) atomicAdd(parameters.out + row.row, total);
  }
};

}  // namespace kvarium

extern "C" __global__ void __launch_bounds__(kvarium::walk_threads)
    walk(const __grid_constant__ kvarium::CellSumParameters parameters) {
  kvarium::walk_cells<kvarium::PlainSum>(parameters);
}

#include "kernels/checksums/cuda/walk_cells.cuh"

namespace kvarium {

/// Exclusive or of the 8-byte pieces.
struct XorFold {
  uint64 folded = 0;

  XorFold(const CellSumParameters&, const WalkedRow&) {}

  void add(const ElementPlace& place, uint32 bits) { folded ^= uint64{bits} << (8 * (place.byte % 8)); }

  void flush(const CellSumParameters& parameters, const WalkedRow& row) const {
    const uint64 total = fold_over_warp(folded);
    if (is_first_lane()) atomicXor(parameters.out + row.row, total);
  }
};

}  // namespace kvarium

extern "C" __global__ void __launch_bounds__(kvarium::walk_threads)
    walk(const __grid_constant__ kvarium::CellSumParameters parameters) {
  kvarium::walk_cells<kvarium::XorFold>(parameters);
}

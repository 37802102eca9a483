#include "kernels/checksums/cuda/cell_units.cuh"
#include "kernels/checksums/cuda/sum_units.cuh"
#include "kernels/cuda/device/dependent_launch.cuh"
#include "kernels/cuda/device/types.cuh"
#include "kernels/cuda/device/warp.cuh"
#include "variant.cuh"

// weighted_sum by the element rule, in memory's own order: a warp sums a chunk of K or V of one (layer, row) and adds
// it to the row's value. Sums of integers have no order, so chunks may come in any.

namespace kvarium {

constexpr int num_threads = 128;
constexpr int warps_per_block = num_threads / warp_size;
constexpr int units_per_chunk =
    smaller(larger(variant::chunk * variant::piece_width / unit_bytes, 1), units_per_tensor);
constexpr int chunks_per_tensor = (units_per_tensor + units_per_chunk - 1) / units_per_chunk;

/// K or V of a row as sum_units walks it.
template <bool is_value>
struct TensorWalk {
  const CellSumParameters& parameters;
  const CellRow& row;

  bool counts(int index) const { return place_of<is_value>(index).token < row.valid_tokens; }
  const uint8* address(int index) const { return address_of<is_value>(parameters, row, place_of<is_value>(index)); }
  const uint8* any_address() const { return is_value ? row.value : row.key; }
  static UnitBytes load(const uint8* address) { return load_unit(address); }
  uint64 term(int index, const UnitBytes& unit) const {
    return unit_sum<is_value>(row, unit, place_of<is_value>(index));
  }
};

template <bool is_value>
uint64 chunk_sum(const CellSumParameters& parameters, const CellRow& row, int chunk) {
  constexpr Batches batches{.units_per_lane = 2, .unrolled = 8};
  return sum_units<batches, units_per_chunk, units_per_tensor>(TensorWalk<is_value>{parameters, row}, chunk);
}

}  // namespace kvarium

extern "C" __global__ void __launch_bounds__(kvarium::num_threads)
    cell_sum(const __grid_constant__ kvarium::CellSumParameters parameters) {
  using namespace kvarium;
  const int64 work = int64{blockIdx.x} * warps_per_block + threadIdx.x / warp_size;
  const int64 row_index = work / (2 * chunks_per_tensor);
  CellRow row{};
  if (row_index < parameters.num_rows) row = row_of(parameters, blockIdx.y, row_index);
  const int chunk = static_cast<int>(work % (2 * chunks_per_tensor));
  uint64 sum = 0;
  if (row.valid_tokens > 0) {
    sum = chunk < chunks_per_tensor ? chunk_sum<false>(parameters, row, chunk)
                                    : chunk_sum<true>(parameters, row, chunk - chunks_per_tensor);
  }
  // Everything but `out` was written before the launch that zeroes it began, so only the sums wait for that one.
  if constexpr (variant::follows_zeroing) wait_for_predecessors();
  if (row.valid_tokens > 0 && threadIdx.x % warp_size == 0) atomicAdd(parameters.out + row_index, sum);
}

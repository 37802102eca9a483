#include "kernels/checksums/cuda/keyed_cells.cuh"
#include "kernels/cuda/device/dependent_launch.cuh"

// mixed_sum in memory's own order; shares of elements add up in any.

namespace kvarium {

/// K or V of a row as sum_units walks it.
template <bool is_value>
struct MixedWalk {
  const CellSumParameters& parameters;
  const CellRow& row;
  const ChunkKeys& keys;

  bool counts(int index) const { return cell_place_of<is_value>(index).token < row.valid_tokens; }
  const uint8* address(int index) const { return cell_address_of<is_value>(parameters, row, index); }
  const uint8* any_address() const { return is_value ? row.value : row.key; }
  static UnitBytes load(const uint8* address) { return load_unit(address); }
  uint64 term(int index, const UnitBytes& unit) const {
    return mixed_unit_share<is_value>(keys, row, cell_place_of<is_value>(index), unit);
  }
};

template <bool is_value>
uint64 mixed_chunk(const CellSumParameters& parameters, const CellRow& row, uint64 seed_key, int chunk) {
  constexpr Batches batches{.units_per_lane = 2, .unrolled = 8};
  const ChunkKeys keys(row, seed_key, chunk);
  return sum_units<batches, units_per_chunk, units_per_walk>(MixedWalk<is_value>{parameters, row, keys}, chunk);
}

}  // namespace kvarium

extern "C" __global__ void __launch_bounds__(kvarium::num_threads)
    mixed_sum(const __grid_constant__ kvarium::CellSumParameters parameters, const kvarium::uint64 seed_key) {
  using namespace kvarium;
  const KeyedWork work = KeyedWork::of_this_warp();
  CellRow row{};
  if (work.row < parameters.num_rows) row = row_of(parameters, blockIdx.y, work.row);
  uint64 sum = 0;
  if (row.valid_tokens > 0) {
    sum = work.is_value ? mixed_chunk<true>(parameters, row, seed_key, work.chunk)
                        : mixed_chunk<false>(parameters, row, seed_key, work.chunk);
  }
  // Everything but `out` was written before the launch that zeroes it began, so only the sums wait for that one.
  if constexpr (variant::follows_zeroing) wait_for_predecessors();
  if (row.valid_tokens > 0 && threadIdx.x % warp_size == 0) atomicAdd(parameters.out + work.row, sum);
}

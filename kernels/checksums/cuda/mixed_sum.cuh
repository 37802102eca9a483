#include "kernels/checksums/cuda/keyed_cells.cuh"
#include "kernels/cuda/device/dependent_launch.cuh"

// mixed_sum in memory's own order; shares of elements add up in any.

namespace kvarium {

/// A chunk of K, V or whole cells as sum_units walks it.
template <bool is_value, bool all>
struct MixedSum {
  static constexpr bool counts_all = all;

  const KeyedTensor<is_value> tensor;
  const ChunkKeys keys;
  const int valid_tokens;

  bool counts(int index) const { return tensor.place_of_unit(index).token < valid_tokens; }
  const uint8* address(int index) const { return tensor.address(index); }
  const uint8* any_address() const { return tensor.data; }
  static UnitBytes load(const uint8* address) { return load_unit(address); }
  uint64 term(int index, const UnitBytes& unit) const { return mixed_unit_share<all>(tensor, keys, index, unit); }

  static uint64 of_chunk(const CellSumParameters& parameters, const CellRow& row, const KeyedWork& work,
                         uint64 seed_key) {
    const MixedSum walk{
        {parameters, row, work.is_value, work.chunk}, {row, seed_key, work.chunk}, static_cast<int>(row.valid_tokens)};
    return sum_units<keyed_batches, units_per_chunk, units_per_walk>(walk, work.chunk);
  }
};

}  // namespace kvarium

extern "C" __global__ void __launch_bounds__(kvarium::num_threads)
    mixed_sum(const __grid_constant__ kvarium::CellSumParameters parameters, const kvarium::uint64 seed_key) {
  using namespace kvarium;
  const KeyedWork work = KeyedWork::of_this_warp();
  CellRow row{};
  if (work.row < parameters.num_rows) row = row_of(parameters, blockIdx.y, work.row);
  const uint64 sum = row.valid_tokens > 0 ? sum_keyed_chunk<MixedSum>(parameters, row, work, seed_key) : 0;
  // Everything but `out` was written before the launch that zeroes it began, so only the sums wait for that one.
  if constexpr (variant::follows_zeroing) wait_for_predecessors();
  if (row.valid_tokens > 0 && threadIdx.x % warp_size == 0) atomicAdd(parameters.out + work.row, sum);
}

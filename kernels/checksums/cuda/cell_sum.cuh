#include "kernels/checksums/cuda/cell_units.cuh"
#include "kernels/cuda/device/types.cuh"
#include "kernels/cuda/device/warp.cuh"
#include "variant.cuh"

// weighted_sum by the element rule, in memory's own order: a warp sums a chunk of K or V of one (layer, row) and adds
// it to the row's value. Sums of integers have no order, so chunks may come in any.

namespace kvarium {

constexpr int num_threads = 128;
constexpr int warps_per_block = num_threads / warp_size;
constexpr int units_per_chunk = larger(variant::chunk * variant::piece_width / unit_bytes, 1);
constexpr int chunks_per_tensor = (units_per_tensor + units_per_chunk - 1) / units_per_chunk;
constexpr int loads_in_flight = 4;

template <bool is_value>
uint64 chunk_sum(const CellSumParameters& parameters, const CellRow& row, int chunk) {
  const int end = smaller((chunk + 1) * units_per_chunk, units_per_tensor);
  uint64 sum = 0;
  for (int begin = chunk * units_per_chunk; begin < end; begin += warp_size * loads_in_flight) {
    const int first = begin + threadIdx.x % warp_size;
    UnitBytes units[loads_in_flight];
#pragma unroll
    for (int i = 0; i < loads_in_flight; ++i) {
      const int index = first + i * warp_size;
      const UnitPlace place = place_of<is_value>(index);
      const bool is_counted = index < end && place.token < row.valid_tokens;
      // What does not count is read from the row's first unit, so that no branch parts the loads.
      const uint8* first_unit = is_value ? row.value : row.key;
      units[i] = load_unit(is_counted ? address_of<is_value>(parameters, row, place) : first_unit);
    }
    // Keeps the assembler from saving registers by loading late.
    __syncwarp();
#pragma unroll
    for (int i = 0; i < loads_in_flight; ++i) {
      const int index = first + i * warp_size;
      const UnitPlace place = place_of<is_value>(index);
      const uint64 term = unit_sum<is_value>(row, units[i], place);
      sum += index < end && place.token < row.valid_tokens ? term : 0;
    }
  }
  return sum;
}

inline uint64 warp_sum(uint64 value) {
  for (int distance = warp_size / 2; distance > 0; distance /= 2) value += __shfl_xor_sync(whole_warp, value, distance);
  return value;
}

}  // namespace kvarium

extern "C" __global__ void __launch_bounds__(kvarium::num_threads)
    cell_sum(const __grid_constant__ kvarium::CellSumParameters parameters) {
  using namespace kvarium;
  const int64 work = int64{blockIdx.x} * warps_per_block + threadIdx.x / warp_size;
  const int64 layer_row = work / (2 * chunks_per_tensor);
  const int64 layer = layer_row / parameters.num_rows;
  if (layer >= parameters.num_layers) return;
  const int64 row_index = layer_row % parameters.num_rows;
  const CellRow row = row_of(parameters, layer, row_index);
  if (row.valid_tokens <= 0) return;
  const int chunk = static_cast<int>(work % (2 * chunks_per_tensor));
  const uint64 sum = warp_sum(chunk < chunks_per_tensor ? chunk_sum<false>(parameters, row, chunk)
                                                        : chunk_sum<true>(parameters, row, chunk - chunks_per_tensor));
  if (threadIdx.x % warp_size == 0) atomicAdd(parameters.out + row_index, sum);
}

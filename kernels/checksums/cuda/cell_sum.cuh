#include "kernels/checksums/cuda/cell_units.cuh"
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

/// Units that a lane loads together; while a batch is summed, the next one is on its way.
constexpr int batch_size = 2;
constexpr int batch_units = warp_size * batch_size;
/// Batches that follow one another without a loop, so that the two on their way stay in registers.
constexpr int unrolled_batches = smaller((units_per_chunk + batch_units - 1) / batch_units, 8);
constexpr int unrolled_units = unrolled_batches * batch_units;
constexpr int rounds_per_chunk = (units_per_chunk + unrolled_units - 1) / unrolled_units;

/// Units first, first + 32, ... of K or V of a row as one lane holds them.
template <bool is_value>
struct UnitBatch {
  UnitBytes unit[batch_size];

  static bool is_counted(const CellRow& row, const UnitPlace& place, int index, int end) {
    return index < end && place.token < row.valid_tokens;
  }

  void load(const CellSumParameters& parameters, const CellRow& row, int first, int end) {
#pragma unroll
    for (int i = 0; i < batch_size; ++i) {
      const int index = first + i * warp_size;
      const UnitPlace place = place_of<is_value>(index);
      // What does not count is read from the row's first unit, so that no branch parts the loads.
      const uint8* const first_unit = is_value ? row.value : row.key;
      const bool counts = is_counted(row, place, index, end);
      unit[i] = load_unit(counts ? address_of<is_value>(parameters, row, place) : first_unit);
    }
  }

  uint64 sum(const CellRow& row, int first, int end) const {
    uint64 sum = 0;
#pragma unroll
    for (int i = 0; i < batch_size; ++i) {
      const int index = first + i * warp_size;
      const UnitPlace place = place_of<is_value>(index);
      const uint64 term = unit_sum<is_value>(row, unit[i], place);
      sum += is_counted(row, place, index, end) ? term : 0;
    }
    return sum;
  }
};

template <bool is_value>
uint64 chunk_sum(const CellSumParameters& parameters, const CellRow& row, int chunk) {
  const int end = smaller((chunk + 1) * units_per_chunk, units_per_tensor);
  uint64 sum = 0;
#pragma unroll 1
  for (int round = 0; round < rounds_per_chunk; ++round) {
    const int first = chunk * units_per_chunk + round * unrolled_units + threadIdx.x % warp_size;
    UnitBatch<is_value> batches[2];
    batches[0].load(parameters, row, first, end);
#pragma unroll
    for (int i = 0; i < unrolled_batches; ++i) {
      if (i + 1 < unrolled_batches) batches[(i + 1) % 2].load(parameters, row, first + (i + 1) * batch_units, end);
      // Keeps the assembler from saving registers by loading late.
      __syncwarp();
      sum += batches[i % 2].sum(row, first + i * batch_units, end);
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
  const int64 row_index = work / (2 * chunks_per_tensor);
  if (row_index >= parameters.num_rows) return;
  const CellRow row = row_of(parameters, blockIdx.y, row_index);
  if (row.valid_tokens <= 0) return;
  const int chunk = static_cast<int>(work % (2 * chunks_per_tensor));
  const uint64 sum = warp_sum(chunk < chunks_per_tensor ? chunk_sum<false>(parameters, row, chunk)
                                                        : chunk_sum<true>(parameters, row, chunk - chunks_per_tensor));
  if (threadIdx.x % warp_size == 0) atomicAdd(parameters.out + row_index, sum);
}

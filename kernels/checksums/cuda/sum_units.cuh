#pragma once

#include "kernels/checksums/cuda/piece_vector.cuh"
#include "kernels/cuda/device/types.cuh"
#include "kernels/cuda/device/warp.cuh"

namespace kvarium {

/// How a warp walks its units.
struct Batches {
  int units_per_lane;  ///< that a lane loads together; while a batch is summed, the next one is on its way
  int unrolled;        ///< batches that follow one another without a loop, so that both on their way stay in registers
};

/// Whether a unit counts: one of the chunk that the walk counts. A walk that declares `counts_all` has no others, and
/// then nothing is asked.
template <class Walk>
bool is_counted(const Walk& walk, int index, int end) {
  if constexpr (requires { Walk::counts_all; }) {
    if (Walk::counts_all) return true;
  }
  return index < end && walk.counts(index);
}

/// Units first, first + 32, ... below `end` as one lane holds them. What does not count is loaded from another place,
/// so that no branch parts the loads.
template <int size, class Walk>
struct UnitBatch {
  PieceVector unit[size];

  void load(const Walk& walk, int first, int end) {
#pragma unroll
    for (int i = 0; i < size; ++i) {
      const int index = first + i * warp_size;
      const uint8* const address = walk.address(index);
      unit[i] = Walk::load(is_counted(walk, index, end) ? address : walk.any_address());
    }
  }

  uint64 sum(const Walk& walk, int first, int end) const {
    uint64 sum = 0;
#pragma unroll
    for (int i = 0; i < size; ++i) {
      const int index = first + i * warp_size;
      const uint64 term = walk.term(index, unit[i]);
      sum += is_counted(walk, index, end) ? term : 0;
    }
    return sum;
  }
};

inline uint64 warp_sum(uint64 value) {
  for (int distance = warp_size / 2; distance > 0; distance /= 2) value += __shfl_xor_sync(whole_warp, value, distance);
  return value;
}

/// What the units of chunk `chunk` of `num_units` add up to, in every lane of the warp. `Walk` says which units count,
/// where they lie, how one is loaded, and what it adds.
template <Batches batches, int units_per_chunk, int num_units, class Walk>
uint64 sum_units(const Walk& walk, int chunk) {
  constexpr int batch_units = warp_size * batches.units_per_lane;
  constexpr int unrolled = smaller((units_per_chunk + batch_units - 1) / batch_units, batches.unrolled);
  constexpr int rounds = (units_per_chunk + unrolled * batch_units - 1) / (unrolled * batch_units);
  const int end = smaller((chunk + 1) * units_per_chunk, num_units);
  uint64 sum = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    const int first = chunk * units_per_chunk + round * unrolled * batch_units + threadIdx.x % warp_size;
    UnitBatch<batches.units_per_lane, Walk> batch[2];
    batch[0].load(walk, first, end);
#pragma unroll
    for (int i = 0; i < unrolled; ++i) {
      if (i + 1 < unrolled) batch[(i + 1) % 2].load(walk, first + (i + 1) * batch_units, end);
      // Keeps the assembler from saving registers by loading late.
      __syncwarp();
      sum += batch[i % 2].sum(walk, first + i * batch_units, end);
    }
  }
  return warp_sum(sum);
}

}  // namespace kvarium

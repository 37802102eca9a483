#pragma once

#include "kernels/attention/cuda/attention_parameters.cuh"
#include "kernels/cuda/device/types.cuh"
#include "kernels/cuda/device/warp.cuh"
#include "variant.cuh"

// Verified attention: the checksum of a slice (one logical block of a sequence, one KV head) is summed from the
// registers that attend it, and held against its record. Sums of integers have no order, so every design may sum a
// slice as it reads it. What a piece adds is the matter of weighted_slice.cuh and mixed_slice.cuh.

namespace kvarium {

constexpr int half_cell_bytes = variant::head_size * element_bytes(variant::cache_type);

/// What one lane's pieces of a token, or of neighbouring tokens, add to their slice.
struct TokenSum {
  int first_of_span;  ///< a constant; all lanes' tokens lie in the span that begins there
  int offset;         ///< of the first token from the step's first
  uint64 sum;
};

/// Adds, over the warp, `count` values (a power of two) of every lane. Lane i returns the sum of value
/// i / (32 / count).
template <int count>
uint64 sum_over_warp(uint64 (&values)[count]) {
  const int lane = static_cast<int>(threadIdx.x) % warp_size;
  int distance = warp_size / 2;
#pragma unroll
  for (int held = count / 2; held > 0; held /= 2, distance /= 2) {
    const bool is_upper = (lane & distance) != 0;
#pragma unroll
    for (int i = 0; i < held; ++i) {
      const uint64 given = is_upper ? values[i] : values[i + held];
      const uint64 kept = is_upper ? values[i + held] : values[i];
      values[i] = kept + __shfl_xor_sync(whole_warp, given, distance);
    }
  }
#pragma unroll
  for (; distance > 0; distance /= 2) values[0] += __shfl_xor_sync(whole_warp, values[0], distance);
  return values[0];
}

/// Index of a logical block's record; a slice's follows by its KV head.
inline int64 record_index(const AttentionParameters& parameters, int sequence, int block) {
  return sequence * parameters.max_num_blocks_per_sequence + block;
}

/// Asks for a record in good time without a register to keep it in.
inline void prefetch_record(const AttentionParameters& parameters, int sequence, int block, int kv_head) {
  const int64 index = record_index(parameters, sequence, block);
  const VerificationParameters& records = parameters.verification;
  asm volatile("prefetch.global.L2 [%0];" ::"l"(records.covered_tokens + index));
  asm volatile("prefetch.global.L2 [%0];" ::"l"(records.expected + index * parameters.num_kv_heads + kv_head));
}

/// Holds the value of a slice that was read whole, and whose cells sum up to `sum`, against its record. Called by one
/// lane. Whether the record covers the block's `valid_tokens`; a mismatch goes to the fault word.
template <class Checksum>
bool verify_slice(const AttentionParameters& parameters, uint64 sum, int valid_tokens, int sequence, int block,
                  int kv_head) {
  const VerificationParameters& verification = parameters.verification;
  const int64 index = record_index(parameters, sequence, block);
  // Read ahead of the test, so that it need not wait for the number of tokens.
  const uint64 expected = verification.expected[index * parameters.num_kv_heads + kv_head];
  if (verification.covered_tokens[index] != valid_tokens) return false;
  if (Checksum::value(parameters, kv_head, sum) != expected) {
    const uint64 place =
        static_cast<uint64>(sequence) << 40 | static_cast<uint64>(block) << 16 | static_cast<uint64>(kv_head);
    atomicMin(verification.result, place);
  }
  return true;
}

/// Adds to the counts of slices. Called by one thread.
inline void count_slices(const AttentionParameters& parameters, int verified, int unverified) {
  uint64* const result = parameters.verification.result;
  if (verified > 0) atomicAdd(result + 1, static_cast<uint64>(verified));
  if (unverified > 0) atomicAdd(result + 2, static_cast<uint64>(unverified));
}

}  // namespace kvarium

#pragma once

#include "kernels/attention/cuda/verified_slice.cuh"
#include "kernels/checksums/cuda/mixed_pieces.cuh"

// What the designs share of verified attention with mixed_sum: keys, and whole pieces where lanes hold parts of them.

namespace kvarium {

constexpr int words_per_half_cell = half_cell_bytes / 4;

/// Keys of the cells of one KV head and inner step. Each lane makes those of the tokens `lane + 32 * i` and gives them
/// to the lanes that hold the cells: what is made by every lane for itself takes as long again as the sum.
class StepKeys {
 public:
  StepKeys(const AttentionParameters& parameters, int kv_head)
      : head_key_(mixed_head_key(parameters.verification.seed_key,
                                 static_cast<uint64>(parameters.verification.first_head + kv_head))) {}

  /// Makes the keys of the step from `first_token` on.
  void start(int first_token) {
    const int token = first_token + static_cast<int>(threadIdx.x) % warp_size;
#pragma unroll
    for (int i = 0; i < keys_per_lane; ++i) {
      keys_[i] = mixed_cell_key(head_key_, static_cast<uint32>(token + i * warp_size));
    }
  }

  /// Key of the token `offset` of the step, which may differ from lane to lane. All lanes' tokens lie in the span of
  /// `span_tokens` that begins at `first_of_span`, a constant. The whole warp calls it together.
  template <int span_tokens>
  MixedCellKey of(int first_of_span, int offset) const {
    if constexpr (keys_per_lane == 1) return given(0, offset);
    if constexpr (span_tokens <= warp_size) return given(first_of_span / warp_size, offset);
    MixedCellKey key = given(0, offset);
#pragma unroll
    for (int i = 1; i < keys_per_lane; ++i) {
      const MixedCellKey other = given(i, offset);
      if (offset / warp_size == i) key = other;
    }
    return key;
  }

 private:
  static constexpr int keys_per_lane = larger(variant::block_n / warp_size, 1);

  MixedCellKey given(int index, int offset) const {
    const MixedCellKey& key = keys_[index];
    return {__shfl_sync(whole_warp, key.origin, offset % warp_size),
            __shfl_sync(whole_warp, key.factor, offset % warp_size)};
  }

  uint64 head_key_;
  MixedCellKey keys_[keys_per_lane];
};

/// A cell's key, counted from its 32-bit piece `first_piece` on.
inline MixedCellKey key_from_piece(const MixedCellKey& key, int first_piece) {
  return {key.origin + static_cast<uint32>(first_piece) * mixed_step, key.factor};
}

/// Adds the piece that is `further`, a constant, behind the one that the key counts from.
inline void add_piece(MixedSums& sums, const MixedCellKey& key, int further, uint32 piece) {
  sums.add(key, key.origin + static_cast<uint32>(further) * mixed_step, piece);
}

/// Makes whole pieces where a word holds one element of neighbouring tokens, as V of split_x does. The lanes that hold
/// the other elements of the piece lie `lane_distance` apart; each goes with all of it for one of the tokens.
template <int element_bytes, int lane_distance>
class PieceExchange {
 public:
  static constexpr int tokens_per_word = 4 / element_bytes;

  /// `element`: number in the cell of this lane's element.
  explicit PieceExchange(int element)
      : token_(element % tokens_per_word),
        upper_half_((token_ & tokens_per_word / 2) != 0 ? 0x3276U : 0x5410U),
        upper_byte_((token_ & 1) != 0 ? 0x3715U : 0x6240U) {}

  /// Which of a word's tokens this lane goes with.
  int token() const { return token_; }

  /// That token's piece. The whole warp calls it together.
  uint32 piece(uint32 word) const {
    if constexpr (element_bytes == 4) return word;
    word = __byte_perm(word, __shfl_xor_sync(whole_warp, word, lane_distance * tokens_per_word / 2), upper_half_);
    if constexpr (element_bytes == 2) return word;
    return __byte_perm(word, __shfl_xor_sync(whole_warp, word, lane_distance), upper_byte_);
  }

 private:
  int token_;
  uint32 upper_half_, upper_byte_;  // which bytes of two words make one
};

}  // namespace kvarium

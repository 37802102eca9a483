#pragma once

#include "kernels/attention/cuda/register_mma_softmax.cuh"

namespace kvarium {

/// What makes logits of query-key products, for the heads of a lane's two columns: scale, soft-cap, ALiBi, then the
/// tokens that are not attended.
class Logits {
 public:
  Logits(const AttentionParameters& parameters, const WarpWork& work, const QueryOperands& query, Lane lane)
      : newest_token_(parameters.seq_lens[work.sequence] - 1) {
#pragma unroll
    for (int tile = 0; tile < head_tiles; ++tile) {
#pragma unroll
      for (int column = 0; column < 2; ++column) {
        const int head = tile_heads * tile + 2 * lane.column + column;
        if constexpr (queries_are_scaled) unscale_[tile][column] = query.unscale(tile, column, lane);
        const bool is_biased = parameters.alibi_slopes != nullptr && head < work.num_heads;
        slopes_[tile][column] = is_biased ? parameters.alibi_slopes[work.first_head + head] : 0.0F;
      }
    }
  }

  void transform(const AttentionParameters& parameters, Scores& scores, int first_token, Lane lane) const {
    const float scale = parameters.scale * parameters.k_scale;
    for_each(scores, [&](float& score, int, int heads, int e) {
      if constexpr (queries_are_scaled) score = __fmul_rn(score, unscale_[heads][e % 2]);
      score = __fmul_rn(score, scale);
    });
    if (parameters.softcap > 0.0F) {
      for_each(scores,
               [&](float& score, int, int, int) { score = parameters.softcap * tanhf(score / parameters.softcap); });
    }
    if (parameters.alibi_slopes == nullptr) return;
    for_each(scores, [&](float& score, int tile, int heads, int e) {
      const int token = first_token + token_of(tile, e, lane);
      score = __fmaf_rn(slopes_[heads][e % 2], static_cast<float>(token - newest_token_), score);
    });
  }

  /// Takes the tokens that the work has no part in out of the softmax.
  static void mask(const WarpWork& work, Scores& logits, int first_token, Lane lane) {
    for_each(logits, [&](float& logit, int tile, int, int e) {
      const int token = first_token + token_of(tile, e, lane);
      if (token < work.first_token || token >= work.end_token) logit = -infinity;
    });
  }

 private:
  static int token_of(int tile, int e, Lane lane) {
    return tile / tiles_per_span * span_tokens + token_in_span(lane.row, tile % tiles_per_span, e / 2);
  }

  template <class Function>
  static void for_each(Scores& scores, Function function) {
#pragma unroll
    for (int tile = 0; tile < tiles_per_step; ++tile) {
#pragma unroll
      for (int heads = 0; heads < head_tiles; ++heads) {
#pragma unroll
        for (int e = 0; e < 4; ++e) function(scores.sum[tile][heads][e], tile, heads, e);
      }
    }
  }

  int newest_token_;
  float slopes_[head_tiles][2];
  float unscale_[queries_are_scaled ? head_tiles : 1][2];
};

}  // namespace kvarium

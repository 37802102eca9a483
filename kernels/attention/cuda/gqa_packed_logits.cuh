#pragma once

#include "kernels/attention/cuda/gqa_packed_softmax.cuh"

namespace kvarium {

/// What makes logits of query-key products: scale, soft-cap, ALiBi, then the tokens that are not attended.
class Logits {
 public:
  Logits(const AttentionParameters& parameters, const BlockWork& work)
      : newest_token_(parameters.seq_lens[work.sequence] - 1) {
#pragma unroll
    for (int head = 0; head < heads_per_block; ++head) {
      const bool is_biased = parameters.alibi_slopes != nullptr && head < work.num_heads;
      slopes_[head] = is_biased ? parameters.alibi_slopes[work.first_head + head] : 0.0F;
    }
  }

  void transform(const AttentionParameters& parameters, Scores& scores, int first_token) const {
    const float scale = parameters.scale * parameters.k_scale;
    for_each(scores, [&](float& score, int, int) { score = __fmul_rn(score, scale); });
    if (parameters.softcap > 0.0F) {
      for_each(scores, [&](float& score, int, int) { score = parameters.softcap * tanhf(score / parameters.softcap); });
    }
    if (parameters.alibi_slopes == nullptr) return;
    for_each(scores, [&](float& score, int batch, int head) {
      const int token = first_token + token_of_product(batch);
      score = __fmaf_rn(slopes_[head], static_cast<float>(token - newest_token_), score);
    });
  }

  /// Takes the tokens that the work has no part in out of the softmax.
  static void mask(const BlockWork& work, Scores& logits, int first_token) {
    for_each(logits, [&](float& logit, int batch, int) {
      if (!work.attends(first_token + token_of_product(batch))) logit = -infinity;
    });
  }

 private:
  template <class Function>
  static void for_each(Scores& scores, Function function) {
#pragma unroll
    for (int batch = 0; batch < batches_per_step; ++batch) {
#pragma unroll
      for (int head = 0; head < heads_per_block; ++head) function(scores.value[batch][head], batch, head);
    }
  }

  int newest_token_;
  float slopes_[heads_per_block];
};

}  // namespace kvarium

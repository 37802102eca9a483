#pragma once

#include "kernels/attention/cuda/gqa_packed_softmax.cuh"

namespace kvarium {

/// The weights of a step in a warp's shared memory, [heads_per_block, block_n] float32, in the order in which the
/// lanes that add values want them.
class SharedWeights {
 public:
  static constexpr int bytes = heads_per_block * variant::block_n * static_cast<int>(sizeof(float));

  explicit SharedWeights(char* memory) : weights_(reinterpret_cast<float*>(memory)) {}

  /// Shares what every lane has kept; all lanes can read it on return.
  void share(const Scores& weights) {
    __syncwarp();
#pragma unroll
    for (int batch = 0; batch < batches_per_step; ++batch) {
#pragma unroll
      for (int head = 0; head < heads_per_block; ++head) {
        weights_[head * variant::block_n + place_of_product(batch)] = weights.value[batch][head];
      }
    }
    __syncwarp();
  }

  /// Weights [first, first + count) of a head in that order.
  template <int count>
  void read(int head, int first, float (&weights)[count]) const {
    constexpr int together = count % 4 == 0 ? 4 : count % 2 == 0 ? 2 : 1;
    const float* const run = weights_ + head * variant::block_n + first;
#pragma unroll
    for (int i = 0; i < count; i += together) read_together(run + i, weights + i, Count<together>());
  }

 private:
  template <int>
  struct Count {};

  /// Values in rows: a lane's tokens of a batch side by side. Transposed: tokens in their order.
  static int place_of_product(int batch) {
    if constexpr (value_is_transposed) return token_of_product(batch);
    return batch * batch_tokens + this_lane() / lanes_per_product;
  }

  static void read_together(const float* from, float* to, Count<1>) { *to = *from; }
  static void read_together(const float* from, float* to, Count<2>) {
    const float2 pair = *reinterpret_cast<const float2*>(from);
    to[0] = pair.x, to[1] = pair.y;
  }
  static void read_together(const float* from, float* to, Count<4>) {
    const float4 quad = *reinterpret_cast<const float4*>(from);
    to[0] = quad.x, to[1] = quad.y, to[2] = quad.z, to[3] = quad.w;
  }

  float* weights_;
};

}  // namespace kvarium

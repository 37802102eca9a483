#pragma once

#include "kernels/cuda/device/types.cuh"

namespace kvarium {

/// Lanes of a warp, and the mask that names them all.
constexpr int warp_size = 32;
constexpr uint32 whole_warp = 0xFFFFFFFFU;

/// Sum over the lanes of a warp, the same bits in every lane.
inline float warp_sum(float value) {
  for (int distance = warp_size / 2; distance > 0; distance /= 2) value += __shfl_xor_sync(whole_warp, value, distance);
  return value;
}

/// Largest value of the lanes of a warp.
inline float warp_maximum(float value) {
  for (int distance = warp_size / 2; distance > 0; distance /= 2) {
    value = fmaxf(value, __shfl_xor_sync(whole_warp, value, distance));
  }
  return value;
}

}  // namespace kvarium

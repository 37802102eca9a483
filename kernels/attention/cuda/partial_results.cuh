#pragma once

#include "kernels/attention/cuda/attention_parameters.cuh"
#include "kernels/cuda/device/element.cuh"
#include "kernels/cuda/device/warp.cuh"
#include "variant.cuh"

namespace kvarium {

/// One element of a partition's output. `row`: see partial_row.
inline float partial_element(const AttentionParameters& parameters, int64 row, int element) {
  const int64 index = row * variant::head_size + element;
  return parameters.tmp_out_in_query_type ? load_element<variant::query_type>(parameters.tmp_out, index)
                                          : static_cast<const float*>(parameters.tmp_out)[index];
}

/// Largest maximum of the partitions, and of the sink; every warp computes it for itself.
inline float largest_maximum(const float* maxima, int64 count, float sink) {
  float maximum = sink;
  for (int64 i = threadIdx.x % warp_size; i < count; i += warp_size) maximum = fmaxf(maximum, maxima[i]);
  return warp_maximum(maximum);
}

}  // namespace kvarium

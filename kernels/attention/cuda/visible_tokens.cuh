#pragma once

#include "kernels/cuda/device/types.cuh"

namespace kvarium {

/// First token of a sequence that its window lets in.
inline int64 first_visible_token(int64 length, int64 sliding_window) {
  return sliding_window > 0 && length > sliding_window ? length - sliding_window : 0;
}

}  // namespace kvarium

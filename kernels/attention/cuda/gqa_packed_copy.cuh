#pragma once

#include "kernels/attention/cuda/gqa_packed_tiles.cuh"
#include "kernels/cuda/device/asynchronous_copy.cuh"
#include "kernels/cuda/device/element.cuh"

namespace kvarium {

/// Starts the copy of a piece of the cache; element by element, and done on return, where pieces are not aligned.
template <int bytes>
void copy_cache_piece(char* shared, const char* global) {
  if constexpr (variant::pieces_are_aligned) {
    start_copy<bytes / 4>(shared, global, true);
  } else {
    Piece<bytes / 4> piece;
    load_scattered<ElementBits<variant::cache_type>>(piece, global);
    *reinterpret_cast<Piece<bytes / 4>*>(shared) = piece;
  }
}

}  // namespace kvarium

#pragma once

#include "kernels/attention/cuda/register_mma_tiles.cuh"
#include "kernels/cuda/device/element.cuh"
#include "kernels/cuda/device/piece.cuh"

namespace kvarium {

/// Reads a piece of the cache.
template <int words>
void load_cache_piece(Piece<words>& piece, const char* address) {
  if constexpr (variant::pieces_are_aligned) {
    load_streamed(piece, address);
  } else {
    load_scattered<RawElement<variant::cache_type>>(piece, address);
  }
}

/// The pieces of a step that one lane multiplies, in its registers. Operands take any type that has these members.
template <int num_pieces, int words>
class RegisterPieces {
 public:
  /// Whether loads that follow are wanted; the others leave the pieces as they are. A branch around the loads would do
  /// the same, but the compiler then copies what was loaded, and a copy waits for its load.
  void want(bool is_wanted) { is_wanted_ = is_wanted; }

  /// A piece that does not `exist` is zero.
  void load(int index, const char* address, bool exists) {
    if constexpr (variant::pieces_are_aligned) {
      load_streamed_if(piece_[index], address, exists && is_wanted_);
    } else if (exists && is_wanted_) {
      load_cache_piece(piece_[index], address);
    }
  }
  const Piece<words>& operator[](int index) const { return piece_[index]; }
  void set(int index, const Piece<words>& piece) { piece_[index] = piece; }

 private:
  Piece<words> piece_[num_pieces] = {};
  bool is_wanted_ = true;
};

}  // namespace kvarium

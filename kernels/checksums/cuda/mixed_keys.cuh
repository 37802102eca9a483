#pragma once

#include "kernels/checksums/cuda/splitmix.cuh"

// The keys of mixed_sum, as docs/mixed_sum.md defines them; read by the host's compiler and by the device's.

namespace kvarium {

constexpr unsigned long long mixed_step = 0x9E3779B97F4A7C15ULL;  ///< 2^64 by the golden ratio, odd

/// What all cells of a seed share.
constexpr unsigned long long mixed_seed_key(unsigned long long seed) { return splitmix(seed + mixed_step); }

/// What all cells of a KV head share; `head` is layer * 65536 + global head.
constexpr unsigned long long mixed_head_key(unsigned long long seed_key, unsigned long long head) {
  return splitmix(seed_key ^ (head + 1) * mixed_step);
}

/// What all pieces of a cell share.
struct alignas(16) MixedCellKey {
  unsigned long long origin;
  unsigned long long factor;  ///< odd

  /// From origin + piece * step, the key of that piece: odd.
  constexpr unsigned long long key_from(unsigned long long word) const {
    word = (word ^ word >> 32) * factor;
    return (word ^ word >> 32) | 1;
  }

  /// Key of the cell's 32-bit piece `piece`.
  constexpr unsigned long long piece_key(unsigned int piece) const { return key_from(origin + piece * mixed_step); }
};

/// `position` is the token's in the request.
constexpr MixedCellKey mixed_cell_key(unsigned long long head_key, unsigned long long position) {
  const unsigned long long counter = head_key + 2 * position * mixed_step;
  return {splitmix(counter + mixed_step), splitmix(counter + 2 * mixed_step) | 1};
}

}  // namespace kvarium

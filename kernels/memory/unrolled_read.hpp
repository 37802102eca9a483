#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace kvarium {

/// Folds `bytes` (a multiple of 512) through eight independent 64-byte accumulators; asks for the line
/// `PrefetchBytes` ahead (0: leaves it to the hardware).
template <std::size_t PrefetchBytes>
std::uint64_t unrolled_read(const std::byte* data, std::size_t bytes) {
  using Words = std::uint64_t __attribute__((vector_size(64)));
  constexpr std::size_t unroll = 8;
  Words sums[unroll] = {};
  for (std::size_t offset = 0; offset < bytes; offset += unroll * sizeof(Words)) {
    for (std::size_t i = 0; i < unroll; ++i) {
      const std::byte* line = data + offset + i * sizeof(Words);
      if constexpr (PrefetchBytes != 0) __builtin_prefetch(line + PrefetchBytes);
      Words words;
      std::memcpy(&words, line, sizeof(Words));
      sums[i] += words;
    }
  }
  std::uint64_t folded = 0;
  for (const Words& sum : sums) {
    for (int lane = 0; lane < 8; ++lane) folded += sum[lane];
  }
  return folded;
}

}  // namespace kvarium

#pragma once

#include <cstdint>
#include <vector>

#include "sim/faults/injection.hpp"

namespace kvarium {

/// Gives a block of a layer, byte for byte, what `source` says: the place in `cells` [num_kv_heads, block_size,
/// cell_bytes] from which each byte comes. A byte's own place leaves it as it is.
template <class Source>
void rearrange(Injection& injection, const StruckBlock& block, const std::vector<std::uint8_t>& cells, Source source) {
  const CacheGeometry& geometry = injection.target().geometry();
  for_each_cell_byte(geometry, [&](std::size_t, const CellByte& place) {
    injection.change(block, place, cells[static_cast<std::size_t>(cell_index(geometry, source(place)))]);
  });
}

/// Two different numbers of [0, count), uniform. Precondition: count > 1.
struct NumberPair {
  std::int64_t first = 0;
  std::int64_t second = 0;

  /// The other one of the pair, else the number itself.
  std::int64_t exchanged(std::int64_t number) const {
    if (number == first) return second;
    return number == second ? first : number;
  }
};

inline NumberPair draw_pair(Injection& injection, std::int64_t count) {
  const std::int64_t first = injection.below(count);
  const std::int64_t second = injection.below(count - 1);
  return {first, second < first ? second : second + 1};
}

}  // namespace kvarium

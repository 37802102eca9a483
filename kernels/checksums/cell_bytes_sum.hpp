#pragma once

#include "kernels/checksums/element_rule.hpp"

namespace kvarium {

/// weighted_sum of one block row as it is defined: each cell's bytes are gathered, K before V, and cut into pieces of
/// `piece_width` bytes (1, 2, 4 or 8). Sequential and plain: what other ways to the same value are compared with.
/// Precondition: valid block, head and tokens.
std::uint64_t cell_bytes_sum(const CacheLayer& layer, const BlockRow& row, int piece_width);

}  // namespace kvarium

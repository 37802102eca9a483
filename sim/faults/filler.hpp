#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/faults/injection.hpp"

namespace kvarium {

/// What a block held for an earlier request, as stored: [num_kv_heads, block_size, cell_bytes]. Empty, and the
/// injection refused, where nothing is known of that.
std::vector<std::uint8_t> earlier_cells(Injection& injection, const StruckBlock& block);

/// What stands in a block that was not written: "earlier" contents or "zero". Empty and refused as above.
std::vector<std::uint8_t> filler_cells(Injection& injection, const StruckBlock& block, const std::string& filler);

/// Collects, for the byte at a place of a block's memory, its value in `cells` [num_kv_heads, block_size, cell_bytes].
void copy_place(Injection& injection, const StruckBlock& block, std::int64_t place,
                const std::vector<std::uint8_t>& cells);

}  // namespace kvarium

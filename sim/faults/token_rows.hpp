#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/faults/injection.hpp"

namespace kvarium {

/// Layers that a setting `layers` strikes: the one drawn, or all.
struct LayerRange {
  std::int64_t first = 0;
  std::int64_t end = 0;
};

/// Resolves `layers`: "one" draws a layer, "all" takes every one.
LayerRange draw_layers(Injection& injection);

/// Overwrites a token of a block, every KV head of it, with garbage. False where the type has no such garbage.
bool overwrite_token(Injection& injection, const StruckBlock& block, std::int64_t token, const std::string& garbage);

/// Overwrites a token of a block by the same token of `cells` [num_kv_heads, block_size, cell_bytes].
void copy_token(Injection& injection, const StruckBlock& block, std::int64_t token,
                const std::vector<std::uint8_t>& cells);

}  // namespace kvarium

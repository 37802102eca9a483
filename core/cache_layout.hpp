#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kvarium {

/// Memory order of a paged KV cache; x = 16 / sizeof(element).
///
/// | layout  | key, and value where it is another |
/// | split_x | [num_blocks, num_kv_heads, head_size/x, block_size, x] |
/// |         | value [num_blocks, num_kv_heads, head_size, block_size] |
/// | nhd     | [num_blocks, block_size, num_kv_heads, head_size] |
/// | hnd     | [num_blocks, num_kv_heads, block_size, head_size] |
/// | packed  | one tensor [num_blocks, num_kv_heads, block_size, 2*head_size], K before V; no value |
enum class CacheLayout : std::uint8_t { split_x, nhd, hnd, packed };

/// Names of the layouts, in the order of the enumerators.
const std::vector<std::string>& cache_layout_names();
/// The name a configuration gives the layout.
std::string to_string(CacheLayout layout);

/// Errors: InputError that lists the known names.
CacheLayout parse_cache_layout(std::string_view name);

}  // namespace kvarium

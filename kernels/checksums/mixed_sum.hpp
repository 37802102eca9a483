#pragma once

#include <span>

#include "kernels/checksums/checksum_family.hpp"
#include "kernels/checksums/cuda/mixed_keys.cuh"

namespace kvarium {

/// Bytes of a piece of mixed_sum.
inline constexpr int mixed_piece_width = 4;

/// Keys of one seed by place.
class MixedKeys {
 public:
  explicit MixedKeys(std::uint64_t seed) : seed_key_(mixed_seed_key(seed)) {}

  /// Key of the cell of the layer's head `head` at a token's position in the request.
  MixedCellKey cell(const CacheLayer& layer, std::int64_t head, std::int64_t position) const {
    const auto global_head = static_cast<std::uint64_t>(layer.layer * heads_per_layer_weight + layer.first_head + head);
    return mixed_cell_key(mixed_head_key(seed_key_, global_head), static_cast<std::uint64_t>(position));
  }

 private:
  std::uint64_t seed_key_;
};

/// Sum of key * piece modulo 2^64 over the pieces of one cell. Precondition: whole pieces.
std::uint64_t mixed_cell_sum(const MixedCellKey& key, std::span<const std::byte> bytes);

/// The same as docs/mixed_sum.md writes it, from bytes and without what is shared with the device.
std::uint64_t mixed_cell_sum_of_definition(const MixedCellKey& key, std::span<const std::byte> bytes);

}  // namespace kvarium

#pragma once

#include <cstdint>

namespace kvarium {

/// One physical block of one layer.
struct LayerBlock {
  std::int64_t layer = 0;
  std::int64_t block = 0;

  bool operator==(const LayerBlock&) const = default;
};

/// What physical blocks held for earlier requests.
class EarlierContent {
 public:
  virtual ~EarlierContent() = default;

  /// Fills key and value [block_size, num_kv_heads, head_size] float32 (before division by fp8 scales) and returns
  /// true; false, with nothing filled, for a block that no earlier request held. Always the same for the same block.
  virtual bool fill(const LayerBlock& place, float* key, float* value) const = 0;
};

}  // namespace kvarium

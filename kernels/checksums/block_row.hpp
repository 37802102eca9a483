#pragma once

#include <cstddef>
#include <cstdint>

namespace kvarium {

/// One block row: a block's first valid tokens, at their position in the request.
struct BlockRow {
  std::int64_t block = 0;
  std::int64_t first_token = 0;
  std::int64_t valid_tokens = 0;
  const std::int64_t* token_ids = nullptr;  ///< [block_size] of the block's tokens; null: none are known
};

/// One byte of a row's block that holds another value than when the row was summed.
struct ChangedByte {
  std::int32_t layer = 0;  ///< index in the call's list of layers
  std::int32_t head = 0;   ///< of the layer's cache
  std::int32_t token = 0;  ///< of the block, valid or not
  std::int32_t byte = 0;   ///< of the cell: K, then V
  std::byte before{0};
  std::byte after{0};
};

}  // namespace kvarium

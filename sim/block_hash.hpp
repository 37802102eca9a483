#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace kvarium {

/// Name of a full KV block's contents: its tokens and all tokens before them.
struct BlockHash {
  std::uint64_t value = 0;

  friend constexpr auto operator<=>(BlockHash, BlockHash) = default;
};

/// Hash of (hash of the block before it, token ids of the block), as serving engines find shared prefixes
/// (vLLM's prefix caching). `parent` is empty for a sequence's first block. 64 bits: contents are not compared on a
/// hit.
BlockHash hash_block(std::optional<BlockHash> parent, std::span<const std::int32_t> token_ids);

}  // namespace kvarium

template <>
struct std::hash<kvarium::BlockHash> {
  std::size_t operator()(kvarium::BlockHash name) const noexcept { return static_cast<std::size_t>(name.value); }
};

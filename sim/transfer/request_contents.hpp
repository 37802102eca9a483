#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/contents/kv_content_source.hpp"
#include "sim/transfer/transfer_shape.hpp"

namespace kvarium {

/// fp8 caches of a trial hold element / scale, with these scales; others hold elements.
inline constexpr float float8_key_scale = 0.25F;
inline constexpr float float8_value_scale = 0.5F;

/// What a request's cells hold when everything goes right: the truth that caches are held against.
class RequestContents {
 public:
  /// `sequence` of `source`, `num_tokens` of it.
  RequestContents(const TransferShape& shape, const KvContentSource& source, std::int64_t sequence,
                  std::int64_t num_tokens);

  std::int64_t num_tokens() const { return static_cast<std::int64_t>(token_ids_.size()); }
  std::int64_t sequence() const { return sequence_; }
  /// Bytes [cell_bytes] of a token in a layer and head, K before V.
  std::span<const std::byte> cell(std::int64_t layer, std::int64_t head, std::int64_t token) const;
  /// [num_tokens]
  const std::vector<std::int64_t>& token_ids() const { return token_ids_; }

 private:
  void fill_layer(const KvContentSource& source, ElementType type, std::int64_t layer);

  std::int64_t sequence_;
  std::int64_t num_heads_;
  std::int64_t head_size_;
  std::int64_t half_bytes_;
  std::vector<std::int64_t> token_ids_;
  std::vector<std::byte> cells_;  ///< [num_layers, num_tokens, num_kv_heads, cell_bytes]
};

}  // namespace kvarium

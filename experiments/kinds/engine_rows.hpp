#pragma once

#include <cstdint>
#include <vector>

#include "experiments/kinds/transfer_checks.hpp"
#include "sim/transfer/transfer_world.hpp"

namespace kvarium {

/// Block rows of a request in an engine's memory.
struct EngineRows {
  std::vector<std::int64_t> block_ids;
  std::vector<std::int64_t> first_tokens;
  std::vector<std::int64_t> valid_tokens;
  std::vector<std::int64_t> token_ids;  ///< [rows, block_size], 0 past the request's tokens

  std::int64_t size() const { return static_cast<std::int64_t>(block_ids.size()); }
  /// The rows as checksums take them; valid as long as this lives.
  ChecksumRows rows() const;
  /// Appends the block at position `position` of the request, `valid_tokens` of its tokens valid.
  void add(std::int64_t block, std::int64_t position, std::int64_t valid_tokens, const RequestContents& contents,
           std::int64_t block_size);
};

/// An engine's caches, all ranks, as those of one model.
std::vector<CacheLayer> cache_layers(const Engine& engine);

/// Rows through the block table that a check point uses: the device's at a step, else the scheduler's.
EngineRows engine_rows(const TransferWorld& world, EngineRole role, RequestRole request, CheckPoint point);

}  // namespace kvarium

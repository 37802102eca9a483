#pragma once

#include <algorithm>
#include <cstdint>

#include "core/cache_geometry.hpp"
#include "kernels/checksums/checksum_parameters.hpp"

namespace kvarium {

/// Bytes of a token's row in one buffer, all heads of K or of V, that kv_canary hashes.
constexpr std::int64_t canary_bytes(const CacheGeometry& geometry, CanaryData data) {
  constexpr std::int64_t partial_bytes = 16;
  const std::int64_t row = std::int64_t{cell_bytes(geometry)} / 2 * geometry.num_kv_heads;
  return data == CanaryData::partial ? std::min(row, partial_bytes) : row;
}

}  // namespace kvarium

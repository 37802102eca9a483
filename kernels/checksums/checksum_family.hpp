#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/paged_cache_view.hpp"
#include "core/registry.hpp"
#include "kernels/checksums/layers_checksum.hpp"

namespace kvarium {

/// What a checksum promises; contract tests hold it to each point.
struct ChecksumTraits {
  std::string description;
  int width_bits = 64;
  bool order_sensitive = true;     ///< sees exchanged tokens, heads, layers and blocks
  bool additive = true;            ///< parts sum to the whole over layers, heads and ranks
  bool layout_independent = true;  ///< equal cells give equal values in every layout
  bool masks_tail = true;          ///< bytes past the valid tokens do not matter
  std::vector<std::string> blind_classes;  ///< fault classes it cannot see by construction
};

/// Settings of a checksum.
struct ChecksumParameters {
  int piece_width = 8;  ///< bytes of one piece
  /// Implementation: "host" or "host_reference".
  std::string implementation = "host";
};

/// One layer's cache with its place in the whole model.
struct CacheLayer {
  PagedCacheView cache;
  std::int64_t layer = 0;
  std::int64_t first_head = 0;
};

/// A checksum over the cells of block rows.
class ChecksumFamily {
 public:
  virtual ~ChecksumFamily() = default;
  virtual ChecksumTraits traits() const = 0;

  /// Values [num_rows], one per block row over all `layers`. Errors: InputError for bad ids or widths.
  virtual std::vector<std::uint64_t> compute(const std::vector<CacheLayer>& layers, const ChecksumRows& rows,
                                             const ChecksumParameters& parameters) const = 0;
};

const Registry<ChecksumFamily>& checksum_families();

}  // namespace kvarium

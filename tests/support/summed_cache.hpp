#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/paged_kv_cache.hpp"
#include "kernels/checksums/checksum_family.hpp"

namespace kvarium::test {

/// One byte of a cell: K bytes first, then V bytes.
struct CellByte {
  std::int64_t layer = 0, block = 0, token = 0, head = 0, byte = 0;
};

/// Two layers of random float16 cells under a checksum: 4 blocks of 16 tokens, 2 heads of 32 elements.
class SummedCache {
 public:
  static constexpr std::int64_t num_layers = 2, num_blocks = 4, block_size = 16, num_heads = 2, cell_bytes = 128;

  explicit SummedCache(CacheLayout layout, std::uint64_t seed = 1);

  /// A byte wherever the layout puts it.
  std::byte& at(const CellByte& place);

  /// Exchanges the cells at two places; their `byte` does not count.
  void exchange_cells(const CellByte& left, const CellByte& right);

  bool has_equal_cells(const SummedCache& other) const;

  /// The layers with heads [first, last).
  std::vector<CacheLayer> layers(std::int64_t first = 0, std::int64_t last = num_heads) const;

  /// Values [num_blocks] of all blocks, 12 tokens valid in each, at their positions in one request.
  std::vector<std::uint64_t> values(const std::string& family, const ChecksumParameters& parameters = {}) const {
    return values(family, layers(), parameters);
  }
  static std::vector<std::uint64_t> values(const std::string& family, const std::vector<CacheLayer>& layers,
                                           const ChecksumParameters& parameters = {});

 private:
  std::vector<PagedKvCache> caches_;
};

}  // namespace kvarium::test

#pragma once

#include <cstddef>
#include <span>

#include "kernels/checksums/row_checksum.hpp"

namespace kvarium {

/// One cell of a row, with its place.
struct Cell {
  std::span<const std::byte> bytes;  ///< K, then V, little-endian, whatever order memory holds them in
  std::size_t layer = 0;             ///< index in the call's list of layers
  std::int64_t head = 0;             ///< of the layer's cache
  std::int64_t token = 0;            ///< of the block
};

/// Hands the valid cells of one block row to a visitor: by layer, head and token.
template <class Visitor>
void for_each_cell(const std::vector<CacheLayer>& layers, const BlockRow& row, const Visitor& visit);

/// A checksum of one word that is a function of the valid cells of a row in the order layer, head, token.
class CellChecksum : public RowChecksum {
 protected:
  /// Value of one row. Precondition: as of sum_row.
  virtual std::uint64_t row_value(const std::vector<CacheLayer>& layers, const BlockRow& row,
                                  const ChecksumParameters& parameters) const = 0;

  void sum_row(const std::vector<CacheLayer>& layers, const BlockRow& row, const ChecksumParameters& parameters,
               std::span<std::uint64_t> words) const final {
    words[0] = row_value(layers, row, parameters);
  }
};

namespace detail {
/// Largest cell: K and V of 256 elements of 4 bytes.
inline constexpr std::size_t largest_cell_bytes = 2 * 256 * 4;

void copy_cell_bytes(const PagedCacheView& cache, std::int64_t block, std::int64_t head, std::int64_t token,
                     std::byte* bytes);
}  // namespace detail

template <class Visitor>
void for_each_cell(const std::vector<CacheLayer>& layers, const BlockRow& row, const Visitor& visit) {
  std::byte bytes[detail::largest_cell_bytes];
  for (std::size_t layer = 0; layer < layers.size(); ++layer) {
    const PagedCacheView& cache = layers[layer].cache;
    const auto size = static_cast<std::size_t>(cell_bytes(cache.geometry));
    for (std::int64_t head = 0; head < cache.geometry.num_kv_heads; ++head) {
      for (std::int64_t token = 0; token < row.valid_tokens; ++token) {
        detail::copy_cell_bytes(cache, row.block, head, token, bytes);
        visit(Cell{{bytes, size}, layer, head, token});
      }
    }
  }
}

}  // namespace kvarium

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/checksums/layers_checksum.hpp"

namespace kvarium::test {

/// One strided-view case of layers_checksum.json, with its layers' memory made.
struct ViewCase {
  std::string name;
  PieceView view;
  std::vector<std::vector<std::uint64_t>> memory;  ///< one stream a layer
  std::vector<ChecksumLayer> layers;
  std::vector<std::int64_t> block_ids, first_tokens, valid_tokens;
  std::vector<std::uint64_t> initial, expected;  ///< [num_rows, num_columns]
  std::int64_t num_columns = 1;
};

/// One cell case: K and V are streams in logical order [num_blocks, block_size, num_kv_heads, head_size].
struct CellCase {
  std::string name;
  int element_bytes = 2, head_size = 0, num_kv_heads = 0, block_size = 0, piece_width = 8;
  std::int64_t num_blocks = 0, layer = 0, first_head = 0;
  std::vector<std::uint64_t> key, value;  ///< packed elements, little-endian
  std::vector<std::int64_t> block_ids, first_tokens, valid_tokens;
  std::vector<std::uint64_t> expected;
};

/// One case of weighted_sum_restated.json: block 0 of a cache whose cells are given by a formula.
struct RestatedCase {
  std::string name;
  std::int64_t layer = 0, first_head = 0, first_token = 0, valid_tokens = 0;
  int num_heads = 0, piece_width = 8;
  std::uint64_t expected = 0;

  static constexpr int cell_bytes = 32;

  /// Byte of the cell of global head `head`.
  static std::byte cell_byte(std::int64_t head, std::int64_t token, std::int64_t byte) {
    return static_cast<std::byte>((131 * head + 17 * token + 7 * byte + 3) % 256);
  }
};

std::vector<RestatedCase> restated_cases();
std::vector<ViewCase> view_cases();
std::vector<CellCase> cell_cases();

}  // namespace kvarium::test

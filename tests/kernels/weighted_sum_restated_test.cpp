#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "core/paged_kv_cache.hpp"
#include "kernels/cache/cache_operations.hpp"
#include "kernels/checksums/checksum_family.hpp"
#include "tests/support/checksum_vectors.hpp"
#include "tests/support/decode_run.hpp"

namespace kvarium::test {
namespace {

/// K (part 0) or V (part 1) of one block, dense [block_size, num_heads, head_size].
std::vector<std::byte> half_cells(const RestatedCase& item, int block_size, int part) {
  constexpr int half = RestatedCase::cell_bytes / 2;
  std::vector<std::byte> bytes;
  for (int token = 0; token < block_size; ++token) {
    for (int head = 0; head < item.num_heads; ++head) {
      for (int byte = 0; byte < half; ++byte) {
        bytes.push_back(RestatedCase::cell_byte(item.first_head + head, token, part * half + byte));
      }
    }
  }
  return bytes;
}

PagedKvCache cache_of(const RestatedCase& item, CacheLayout layout, ElementType type) {
  constexpr int block_size = 8;
  const int head_size = RestatedCase::cell_bytes / 2 / element_bytes(type);
  PagedKvCache cache({layout, type, 1, block_size, item.num_heads, head_size});
  std::vector<std::byte> key = half_cells(item, block_size, 0), value = half_cells(item, block_size, 1);
  scatter_cells({key.data(), value.data()}, {0, 1, 2, 3, 4, 5, 6, 7}, cache.view());
  return cache;
}

/// One block row, as an engine that keeps `item` would ask for it.
struct OneRow {
  std::int64_t block = 0, first_token = 0, valid_tokens = 0;

  explicit OneRow(const RestatedCase& item) : first_token(item.first_token), valid_tokens(item.valid_tokens) {}
  ChecksumRows rows() const { return {&block, &first_token, &valid_tokens, 1}; }
};

TEST_CASE("weighted_sum gives the values of the restated definition in every layout and type",
          "[kernels][checksum][vectors]") {
  const std::string implementation = GENERATE(from_range(layers_checksum_families().names()));
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  const ElementType type = GENERATE(ElementType::bfloat16, ElementType::float8_e5m2);
  const std::vector<RestatedCase> cases = restated_cases();
  REQUIRE(cases.size() == 5);
  for (const RestatedCase& item : cases) {
    const PagedKvCache cache = cache_of(item, layout, type);

    const auto values = checksum_families()
                            .at("weighted_sum")
                            .compute({{cache.view(), item.layer, item.first_head}}, OneRow(item).rows(),
                                     {item.piece_width, implementation});

    CAPTURE(implementation, to_string(cache.geometry()), item.name);
    CHECK(values == std::vector{item.expected});
  }
}

TEST_CASE("layers_checksum gives the values of the restated definition for blocks of 4 tokens",
          "[kernels][checksum][vectors]") {
  const std::string implementation = GENERATE(from_range(layers_checksum_families().names()));
  for (const RestatedCase& item : restated_cases()) {
    std::vector<std::byte> cells;
    for (std::int64_t head = 0; head < item.num_heads; ++head) {
      for (std::int64_t byte = 0; byte < 4 * RestatedCase::cell_bytes; ++byte) {
        cells.push_back(RestatedCase::cell_byte(item.first_head + head, byte / RestatedCase::cell_bytes,
                                                byte % RestatedCase::cell_bytes));
      }
    }
    const std::int64_t pieces = RestatedCase::cell_bytes / item.piece_width;
    const ChecksumLayer layer{reinterpret_cast<std::int64_t>(cells.data()),
                              item.layer * heads_per_layer_weight + item.first_head, 0};
    std::uint64_t sum = 0;
    const OneRow row(item);
    LayersChecksumArguments arguments;
    arguments.pieces = {{1, 1, item.num_heads, 4, pieces}, {0, 0, 4 * pieces, pieces, 1}, item.piece_width};
    arguments.layers = &layer;
    arguments.num_layers = 1;
    arguments.rows = row.rows();
    arguments.out = &sum;

    layers_checksum(arguments, implementation);

    CAPTURE(implementation, item.name);
    CHECK(sum == item.expected);
  }
}

}  // namespace
}  // namespace kvarium::test

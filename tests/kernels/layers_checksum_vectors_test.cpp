#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "core/paged_kv_cache.hpp"
#include "kernels/cache/cache_operations.hpp"
#include "kernels/checksums/checksum_family.hpp"
#include "tests/support/checksum_vectors.hpp"

namespace kvarium::test {
namespace {

ElementType type_of_bytes(int bytes) {
  if (bytes == 4) return ElementType::float32;
  return bytes == 2 ? ElementType::bfloat16 : ElementType::float8_e4m3;
}

/// A cache in `layout` that holds the case's cells.
PagedKvCache cache_of(const CellCase& item, CacheLayout layout) {
  const CacheGeometry geometry{layout,          type_of_bytes(item.element_bytes), item.num_blocks,
                               item.block_size, item.num_kv_heads,                 item.head_size};
  PagedKvCache cache(geometry);
  std::vector<std::int64_t> slots;
  for (std::int64_t slot = 0; slot < item.num_blocks * item.block_size; ++slot) slots.push_back(slot);
  auto* key = const_cast<std::uint64_t*>(item.key.data());
  auto* value = const_cast<std::uint64_t*>(item.value.data());
  scatter_cells({key, value}, slots, cache.view());
  return cache;
}

bool layout_takes(CacheLayout layout, const CellCase& item) {
  return layout != CacheLayout::split_x || item.head_size % split_group_size(type_of_bytes(item.element_bytes)) == 0;
}

TEST_CASE("layers_checksum reproduces every strided view of the vectors bit for bit", "[kernels][checksum][vectors]") {
  const std::string family = GENERATE(from_range(layers_checksum_families().names()));
  int seen = 0;
  auto cases = view_cases();
  for (ViewCase& item : cases) {
    CAPTURE(family, item.name);
    LayersChecksumArguments arguments;
    arguments.pieces = item.view;
    arguments.layers = item.layers.data();
    arguments.num_layers = static_cast<std::int64_t>(item.layers.size());
    arguments.rows = {item.block_ids.data(), item.first_tokens.data(), item.valid_tokens.data(),
                      static_cast<std::int64_t>(item.block_ids.size())};
    arguments.out = item.initial.data();
    arguments.num_columns = item.num_columns;

    layers_checksum(arguments, family);

    CHECK(item.initial == item.expected);
    ++seen;
  }
  CHECK(seen == 26);
}

TEST_CASE("weighted_sum gives every cell case its value in every layout", "[kernels][checksum][vectors]") {
  const std::string implementation = GENERATE(from_range(layers_checksum_families().names()));
  const CacheLayout layout =
      GENERATE(CacheLayout::split_x, CacheLayout::nhd, CacheLayout::hnd, CacheLayout::packed);
  int seen = 0;
  for (const CellCase& item : cell_cases()) {
    if (!layout_takes(layout, item)) continue;
    CAPTURE(implementation, item.name, to_string(layout));
    const PagedKvCache cache = cache_of(item, layout);
    const ChecksumRows rows{item.block_ids.data(), item.first_tokens.data(), item.valid_tokens.data(),
                            static_cast<std::int64_t>(item.block_ids.size())};

    const auto values = checksum_families().at("weighted_sum").compute(
        {{cache.view(), item.layer, item.first_head}}, rows, {item.piece_width, implementation});

    CHECK(values == item.expected);
    ++seen;
  }
  CHECK(seen >= 6);
}

}  // namespace
}  // namespace kvarium::test

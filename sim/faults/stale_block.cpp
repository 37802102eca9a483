#include "core/element_conversion.hpp"
#include "sim/faults/fault_model.hpp"
#include "sim/faults/strike.hpp"

namespace kvarium {
namespace {

/// Earlier contents of a block, key and value [block_size, num_kv_heads, head_size].
struct EarlierBlock {
  std::vector<float> key;
  std::vector<float> value;
};

/// Appends one row of a cell, rounded as cache writes round it: fp8 stores element / scale.
void append_row(std::span<const float> row, ElementType type, float scale, std::vector<std::uint8_t>& cells) {
  for (const float number : row) {
    const std::uint32_t bits = encode_element(is_float8(type) ? number / scale : number, type);
    for (int byte = 0; byte < element_bytes(type); ++byte) {
      cells.push_back(static_cast<std::uint8_t>(bits >> (8 * byte)));
    }
  }
}

/// The block as stored, [num_kv_heads, block_size, cell_bytes].
std::vector<std::uint8_t> encode_block(const EarlierBlock& block, const PagedCacheView& cache) {
  const CacheGeometry& geometry = cache.geometry;
  const auto size = static_cast<std::size_t>(geometry.head_size);
  std::vector<std::uint8_t> cells;
  for (std::int64_t head = 0; head < geometry.num_kv_heads; ++head) {
    for (std::int64_t token = 0; token < geometry.block_size; ++token) {
      const auto first = static_cast<std::size_t>(token * geometry.num_kv_heads + head) * size;
      append_row(std::span(block.key).subspan(first, size), geometry.element_type, cache.key_scale, cells);
      append_row(std::span(block.value).subspan(first, size), geometry.element_type, cache.value_scale, cells);
    }
  }
  return cells;
}

/// A block keeps, in whole, what it held for an earlier request; uniform over layers and attended blocks.
class StaleBlock final : public FaultModel {
 public:
  FaultTraits traits() const override {
    return {"one block of one layer holds what it held for an earlier request", "3", {}};
  }

  FaultOutcome inject(const FaultTarget& target, const FaultParameters&, CounterRandom& random) const override {
    if (target.num_tokens() == 0) return nothing_attended();
    if (target.earlier() == nullptr) return {std::nullopt, "no earlier contents are known"};
    const StruckBlock block = draw_block(target, random);
    const PagedCacheView& cache = target.layers()[static_cast<std::size_t>(block.layer)];
    const CacheGeometry& geometry = cache.geometry;
    const auto numbers = static_cast<std::size_t>(geometry.block_size) *
                         static_cast<std::size_t>(geometry.num_kv_heads) * static_cast<std::size_t>(geometry.head_size);
    EarlierBlock earlier{std::vector<float>(numbers), std::vector<float>(numbers)};
    const bool was_held =
        target.earlier()->fill({block.layer, block.span.physical_block}, earlier.key.data(), earlier.value.data());
    if (!was_held) return {std::nullopt, "no earlier request held the block"};
    return replace_block(target, block, encode_block(earlier, cache));
  }
};

}  // namespace

void register_stale_block(Registry<FaultModel>& registry) {
  registry.add("stale_block", std::make_unique<StaleBlock>());
}

}  // namespace kvarium

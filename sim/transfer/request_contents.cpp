#include "sim/transfer/request_contents.hpp"

#include "core/element_conversion.hpp"

namespace kvarium {

RequestContents::RequestContents(const TransferShape& shape, const KvContentSource& source, std::int64_t sequence,
                                 std::int64_t num_tokens)
    : sequence_(sequence),
      num_heads_(shape.num_kv_heads),
      head_size_(shape.head_size),
      half_bytes_(std::int64_t{shape.head_size} * element_bytes(shape.element_type)) {
  constexpr std::int64_t vocabulary_size = 32000;
  for (std::int64_t token = 0; token < num_tokens; ++token) {
    // Ids need only differ from neighbour to neighbour and from request to request.
    token_ids_.push_back((sequence * 7919 + token * 104729 + 1) % vocabulary_size);
  }
  cells_.resize(static_cast<std::size_t>(shape.num_layers * num_tokens * num_heads_ * 2 * half_bytes_));
  for (std::int64_t layer = 0; layer < shape.num_layers; ++layer) fill_layer(source, shape.element_type, layer);
}

void RequestContents::fill_layer(const KvContentSource& source, ElementType type, std::int64_t layer) {
  const std::int64_t count = num_tokens() * num_heads_ * head_size_;
  std::vector<float> key(static_cast<std::size_t>(count)), value(key.size());
  const TokenRange range{layer, sequence_, 0, num_tokens()};
  source.fill_key(range, key.data());
  source.fill_value(range, value.data());
  const float key_scale = is_float8(type) ? float8_key_scale : 1.0F;
  const float value_scale = is_float8(type) ? float8_value_scale : 1.0F;
  std::byte* layer_cells = cells_.data() + layer * num_tokens() * num_heads_ * 2 * half_bytes_;
  for (std::int64_t i = 0; i < count; ++i) {
    // Cells hold head_size elements of K, then as many of V.
    const std::int64_t index = i / head_size_ * 2 * head_size_ + i % head_size_;
    store_element(layer_cells, index, type, key[static_cast<std::size_t>(i)] / key_scale);
    store_element(layer_cells, index + head_size_, type, value[static_cast<std::size_t>(i)] / value_scale);
  }
}

std::span<const std::byte> RequestContents::cell(std::int64_t layer, std::int64_t head, std::int64_t token) const {
  const std::int64_t index = (layer * num_tokens() + token) * num_heads_ + head;
  return std::span(cells_).subspan(static_cast<std::size_t>(index * 2 * half_bytes_),
                                   static_cast<std::size_t>(2 * half_bytes_));
}

}  // namespace kvarium

#include "sim/transfer/cache_addressing.hpp"

#include <numeric>

namespace kvarium {

MemoryPlace CacheAddressing::place(const ElementPlace& element) const {
  const bool is_key = element.tensor == KvTensor::key;
  const LayerBuffer& buffer = (is_key ? key_buffers : value_buffers)[static_cast<std::size_t>(element.layer)];
  const std::int64_t slot = head_slots[static_cast<std::size_t>(element.head)];
  const std::int64_t heads = geometry.num_kv_heads;
  const CacheStrides& strides = is_key ? key : value;
  const std::int64_t offset = strides.offset(element.block, slot % heads, element.token, element.element);
  return {buffer.pipeline_rank * tensor_ranks + slot / heads, buffer.index,
          (is_key ? key_base : value_base) + offset * element_bytes(geometry.element_type)};
}

void assume_layout(CacheAddressing& addressing, CacheLayout layout) {
  addressing.geometry.layout = layout;
  const CacheGeometry& geometry = addressing.geometry;
  addressing.key = key_strides(geometry);
  addressing.value = value_strides(geometry);
  const std::int64_t elements = layout == CacheLayout::packed ? geometry.head_size : tensor_elements(geometry);
  addressing.key_base = 0;
  addressing.value_base = elements * element_bytes(geometry.element_type);
}

CacheAddressing cache_addressing(const EngineShape& engine, const TransferShape& shape, std::int64_t num_blocks) {
  CacheAddressing addressing;
  addressing.geometry = {
      engine.layout,  shape.element_type, num_blocks, engine.block_size, shape.num_kv_heads / engine.tensor_ranks,
      shape.head_size};
  assume_layout(addressing, engine.layout);
  addressing.tensor_ranks = engine.tensor_ranks;
  const std::int64_t layers_of_rank = shape.num_layers / engine.pipeline_ranks;
  for (std::int64_t layer = 0; layer < shape.num_layers; ++layer) {
    addressing.key_buffers.push_back({layer / layers_of_rank, layer % layers_of_rank});
  }
  addressing.value_buffers = addressing.key_buffers;
  addressing.head_slots.resize(static_cast<std::size_t>(shape.num_kv_heads));
  std::iota(addressing.head_slots.begin(), addressing.head_slots.end(), std::int64_t{0});
  return addressing;
}

}  // namespace kvarium

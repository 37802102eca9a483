#include "kernels/checksums/byte_walk.hpp"

#include "core/check.hpp"

namespace kvarium {
namespace {

std::int64_t block_bytes(const CacheGeometry& geometry) {
  return std::int64_t{cell_bytes(geometry)} * geometry.num_kv_heads * geometry.block_size;
}

bool is_packed(const CacheLayer& layer) { return layer.cache.geometry.layout == CacheLayout::packed; }

bool has_value_buffer(const CacheLayer& layer) { return !is_packed(layer); }

/// Bytes of K or V of a changed byte's block that come before it in memory.
std::int64_t bytes_before_in_buffer(const CacheLayer& layer, const ChangedByte& change) {
  const CacheGeometry& geometry = layer.cache.geometry;
  const std::int64_t size = element_bytes(geometry.element_type);
  const std::int64_t half = std::int64_t{geometry.head_size} * size;
  const bool is_value = change.byte >= half;
  const std::int64_t byte = change.byte % half;
  const CacheTensor& tensor = is_value ? layer.cache.value : layer.cache.key;
  const std::int64_t inside = tensor.strides.offset(0, change.head, change.token, byte / size) * size + byte % size;
  return inside + (is_value && is_packed(layer) ? half : 0);
}

std::int64_t bytes_before_in_memory(const std::vector<CacheLayer>& layers, const ChangedByte& change) {
  const auto index = static_cast<std::size_t>(change.layer);
  const CacheGeometry& geometry = layers[index].cache.geometry;
  const bool is_value = change.byte >= cell_bytes(geometry) / 2 && has_value_buffer(layers[index]);
  std::int64_t before = bytes_before_in_buffer(layers[index], change);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const std::int64_t bytes = block_bytes(layers[i].cache.geometry);
    const std::int64_t buffer = has_value_buffer(layers[i]) ? bytes / 2 : bytes;
    if (i < index || is_value) before += buffer;
    if (i < index && is_value && has_value_buffer(layers[i])) before += buffer;
  }
  return before;
}

std::int64_t bytes_before_in_cells(const std::vector<CacheLayer>& layers, const BlockRow& row,
                                   const ChangedByte& change) {
  const auto index = static_cast<std::size_t>(change.layer);
  std::int64_t before = 0;
  for (std::size_t i = 0; i < index; ++i) {
    const CacheGeometry& geometry = layers[i].cache.geometry;
    before += std::int64_t{cell_bytes(geometry)} * geometry.num_kv_heads * row.valid_tokens;
  }
  const std::int64_t cell = change.head * row.valid_tokens + change.token;
  return before + cell * cell_bytes(layers[index].cache.geometry) + change.byte;
}

/// Whether everything but the way from block to block is as in dense memory.
bool is_dense_inside(CacheStrides strides, const CacheStrides& dense) {
  strides.block = dense.block;
  return strides == dense;
}

}  // namespace

std::span<const std::byte> block_memory(const CacheLayer& layer, const CacheTensor& tensor, std::int64_t block) {
  const CacheGeometry& geometry = layer.cache.geometry;
  const std::int64_t bytes = is_packed(layer) ? block_bytes(geometry) : block_bytes(geometry) / 2;
  const std::int64_t offset = block * tensor.strides.block * element_bytes(geometry.element_type);
  return {tensor.data + offset, static_cast<std::size_t>(bytes)};
}

std::int64_t covered_bytes(const std::vector<CacheLayer>& layers, const BlockRow& row, ByteOrder order) {
  std::int64_t bytes = 0;
  for (const CacheLayer& layer : layers) {
    const CacheGeometry& geometry = layer.cache.geometry;
    const std::int64_t all = block_bytes(geometry);
    bytes += order == ByteOrder::memory ? all : all / geometry.block_size * row.valid_tokens;
  }
  return bytes;
}

std::optional<std::int64_t> bytes_before(const std::vector<CacheLayer>& layers, const BlockRow& row, ByteOrder order,
                                         const ChangedByte& change) {
  if (order == ByteOrder::memory) return bytes_before_in_memory(layers, change);
  if (change.token >= row.valid_tokens) return {};
  return bytes_before_in_cells(layers, row, change);
}

void validate_memory_order(const std::vector<CacheLayer>& layers) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const PagedCacheView& cache = layers[i].cache;
    const bool is_dense = is_dense_inside(cache.key.strides, key_strides(cache.geometry)) &&
                          is_dense_inside(cache.value.strides, value_strides(cache.geometry));
    KVARIUM_VALIDATE(is_dense, "layer ", i, " has gaps inside its blocks, but byte order memory sums whole blocks; use",
                     " byte_order cell");
  }
}

}  // namespace kvarium

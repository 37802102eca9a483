#pragma once

#include <optional>

#include "kernels/checksums/cell_checksum.hpp"

namespace kvarium {

/// Memory of one block in one buffer of a layer: K, V, or, where the layout is `packed`, both.
std::span<const std::byte> block_memory(const CacheLayer& layer, const CacheTensor& tensor, std::int64_t block);

/// Hands a block's memory in every buffer to a visitor: the K of all layers, then the V; `packed` has one buffer a
/// layer. Source of the order: SGLang's transfer checksum.
template <class Visitor>
void for_each_buffer(const std::vector<CacheLayer>& layers, std::int64_t block, const Visitor& visit);

/// Hands the bytes that a row covers in that order to a visitor, stretch by stretch.
template <class Visitor>
void for_each_stretch(const std::vector<CacheLayer>& layers, const BlockRow& row, ByteOrder order,
                      const Visitor& visit);

/// Bytes that a row covers.
std::int64_t covered_bytes(const std::vector<CacheLayer>& layers, const BlockRow& row, ByteOrder order);

/// How many covered bytes come before a changed one; nothing where the row does not cover it.
std::optional<std::int64_t> bytes_before(const std::vector<CacheLayer>& layers, const BlockRow& row, ByteOrder order,
                                         const ChangedByte& change);

/// Errors: InputError unless every block of every layer is one stretch of memory without gaps.
void validate_memory_order(const std::vector<CacheLayer>& layers);

template <class Visitor>
void for_each_buffer(const std::vector<CacheLayer>& layers, std::int64_t block, const Visitor& visit) {
  for (const CacheLayer& layer : layers) visit(block_memory(layer, layer.cache.key, block));
  for (const CacheLayer& layer : layers) {
    if (layer.cache.geometry.layout != CacheLayout::packed) visit(block_memory(layer, layer.cache.value, block));
  }
}

template <class Visitor>
void for_each_stretch(const std::vector<CacheLayer>& layers, const BlockRow& row, ByteOrder order,
                      const Visitor& visit) {
  if (order == ByteOrder::memory) {
    for_each_buffer(layers, row.block, visit);
  } else {
    for_each_cell(layers, row, [&](const Cell& cell) { visit(cell.bytes); });
  }
}

}  // namespace kvarium

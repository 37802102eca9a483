#include <zlib.h>

#include <algorithm>

#include "core/check.hpp"
#include "kernels/checksums/byte_walk.hpp"
#include "kernels/checksums/crc_ring.hpp"

namespace kvarium {
namespace {

/// Bytes of a buffer that each of its edges has.
std::int64_t edge_bytes(std::int64_t buffer, const ChecksumParameters& parameters) {
  return std::min<std::int64_t>(parameters.edge_width, buffer / 2);
}

/// Hands the first and last bytes of a block's buffers to a visitor.
template <class Visitor>
void for_each_edge(const std::vector<CacheLayer>& layers, std::int64_t block, const ChecksumParameters& parameters,
                   const Visitor& visit) {
  for_each_buffer(layers, block, [&](std::span<const std::byte> buffer) {
    const auto bytes = static_cast<std::size_t>(edge_bytes(static_cast<std::int64_t>(buffer.size()), parameters));
    visit(buffer.first(bytes));
    visit(buffer.last(bytes));
  });
}

/// CRC-32 of the first and last bytes of a block in every buffer, one edge after another. Source: Tair's KV cache,
/// whose way of folding the parts is not published.
class EdgeCrc final : public RowChecksum {
 public:
  ChecksumTraits traits(const ChecksumParameters&) const override {
    ChecksumTraits traits;
    traits.description = "CRC-32 of the first and last bytes of a block in each buffer, as memory holds them";
    traits.width_bits = 32;
    traits.order_sensitive = traits.additive = traits.layout_independent = false;
    traits.masks_tail = traits.sees_each_byte = false;
    traits.updates = true;
    traits.settings = {"edge_width", "zero_means_absent"};
    traits.blind_classes = {"bytes between the edges of a block's buffers"};
    return traits;
  }

  bool update(const std::vector<CacheLayer>& layers, const BlockRow& row, std::span<const ChangedByte> changes,
              const ChecksumParameters& parameters, std::span<std::uint64_t> words) const override {
    for (const ChangedByte& change : changes) {
      const auto after = edge_bytes_after(layers, row, change, parameters);
      if (after) words[0] ^= Crc32Ring::difference(*after, change.before ^ change.after);
    }
    return true;
  }

 protected:
  void validate_call(const std::vector<CacheLayer>& layers, const ChecksumParameters& parameters) const override {
    KVARIUM_VALIDATE(parameters.edge_width >= 1, "edge_width is ", parameters.edge_width, " bytes; use 1 or more");
    validate_memory_order(layers);
  }

  void sum_row(const std::vector<CacheLayer>& layers, const BlockRow& row, const ChecksumParameters& parameters,
               std::span<std::uint64_t> words) const override {
    if (parameters.implementation == "host_reference") {
      CrcDefinition<Crc32Ring, ~0U> crc;
      for_each_edge(layers, row.block, parameters, [&](std::span<const std::byte> edge) { crc.add(edge); });
      words[0] = crc.value();
      return;
    }
    uLong crc = crc32(0, nullptr, 0);
    for_each_edge(layers, row.block, parameters, [&](std::span<const std::byte> edge) {
      crc = crc32_z(crc, reinterpret_cast<const Bytef*>(edge.data()), edge.size());
    });
    words[0] = crc;
  }

 private:
  /// Bytes of edges that come after a changed byte; nothing where it lies between the edges.
  static std::optional<std::int64_t> edge_bytes_after(const std::vector<CacheLayer>& layers, const BlockRow& row,
                                                      const ChangedByte& change, const ChecksumParameters& parameters) {
    std::int64_t begin = 0, edges_before = 0;
    std::optional<std::int64_t> place;
    const std::int64_t position = *bytes_before(layers, row, ByteOrder::memory, change);
    for_each_buffer(layers, row.block, [&](std::span<const std::byte> buffer) {
      const auto size = static_cast<std::int64_t>(buffer.size());
      const std::int64_t edge = edge_bytes(size, parameters);
      const std::int64_t inside = position - begin;
      if (inside >= 0 && inside < edge) place = edges_before + inside;
      if (inside >= size - edge && inside < size) place = edges_before + 2 * edge - (size - inside);
      begin += size;
      edges_before += 2 * edge;
    });
    if (!place) return {};
    return edges_before - *place - 1;
  }
};

}  // namespace

void register_edge_crc(Registry<ChecksumFamily>& registry) { registry.add("edge_crc", std::make_unique<EdgeCrc>()); }

}  // namespace kvarium

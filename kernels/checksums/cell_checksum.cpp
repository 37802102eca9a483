#include "kernels/checksums/cell_checksum.hpp"

#include <Kokkos_Core.hpp>
#include <algorithm>

#include "core/element_conversion.hpp"
#include "core/paged_kv_cache.hpp"
#include "kernels/checksums/checksum_input.hpp"

namespace kvarium {

void detail::copy_cell_bytes(const PagedCacheView& cache, std::int64_t block, std::int64_t head, std::int64_t token,
                             std::byte* bytes) {
  const ElementType type = cache.geometry.element_type;
  const std::int64_t head_size = cache.geometry.head_size;
  for (std::int64_t e = 0; e < head_size; ++e) {
    const std::int64_t key = cache.key.strides.offset(block, head, token, e);
    const std::int64_t value = cache.value.strides.offset(block, head, token, e);
    store_element_bits(bytes, e, type, load_element_bits(cache.key.data, key, type));
    store_element_bits(bytes, head_size + e, type, load_element_bits(cache.value.data, value, type));
  }
}

ChecksumTraits byte_hash_traits(std::string description) {
  ChecksumTraits traits;
  traits.description = std::move(description);
  traits.width_bits = 32;
  traits.additive = false;
  traits.blind_classes = {"bytes past the valid tokens"};
  return traits;
}

std::vector<std::uint64_t> CellChecksum::compute(const std::vector<CacheLayer>& layers, const ChecksumRows& rows,
                                                 const ChecksumParameters& parameters) const {
  using Policy = Kokkos::RangePolicy<HostExecution, Kokkos::IndexType<std::int64_t>>;
  layers_checksum_families().at(parameters.implementation);  // the same names for all checksums
  for (const CacheLayer& layer : layers) validate_checksum_layer(layer, rows, parameters.piece_width);
  std::vector<std::uint64_t> values(static_cast<std::size_t>(rows.num_rows), 0);
  const HostExecution execution;
  Kokkos::parallel_for("kvarium::CellChecksum::rows", Policy(execution, 0, rows.num_rows), [&](std::int64_t row) {
    const std::int64_t block_size = layers.empty() ? 0 : layers.front().cache.geometry.block_size;
    const BlockRow block{rows.block_ids[row], rows.first_tokens[row],
                         std::clamp<std::int64_t>(rows.valid_tokens[row], 0, block_size)};
    values[static_cast<std::size_t>(row)] = row_value(layers, block, parameters);
  });
  execution.fence();
  return values;
}

}  // namespace kvarium

#include "kernels/checksums/row_checksum.hpp"

#include <Kokkos_Core.hpp>
#include <algorithm>

#include "core/paged_kv_cache.hpp"
#include "kernels/checksums/checksum_input.hpp"

namespace kvarium {
namespace {

/// As many rows are summed before other cores have woken up; and a fault touches few.
constexpr std::int64_t few_rows = 8;

}  // namespace

void RowChecksum::validate_call(const std::vector<CacheLayer>&, const ChecksumParameters&) const {}

std::vector<std::uint64_t> RowChecksum::compute(const std::vector<CacheLayer>& layers, const ChecksumRows& rows,
                                                const ChecksumParameters& parameters) const {
  using Policy = Kokkos::RangePolicy<HostExecution, Kokkos::IndexType<std::int64_t>>;
  layers_checksum_families().at(parameters.implementation);  // the same names for all checksums
  for (const CacheLayer& layer : layers) validate_checksum_layer(layer, rows, parameters.piece_width);
  validate_call(layers, parameters);
  const auto words = static_cast<std::size_t>(words_per_row(layers, parameters));
  std::vector<std::uint64_t> values(static_cast<std::size_t>(rows.num_rows) * words, 0);
  const std::int64_t block_size = layers.empty() ? 0 : layers.front().cache.geometry.block_size;
  const auto sum = [&](std::int64_t index) {
    const std::int64_t* token_ids = rows.token_ids != nullptr ? rows.token_ids + index * block_size : nullptr;
    const BlockRow row{rows.block_ids[index], rows.first_tokens[index],
                       std::clamp<std::int64_t>(rows.valid_tokens[index], 0, block_size), token_ids};
    sum_row(layers, row, parameters, std::span(values).subspan(static_cast<std::size_t>(index) * words, words));
  };
  if (rows.num_rows <= few_rows) {
    for (std::int64_t row = 0; row < rows.num_rows; ++row) sum(row);
    return values;
  }
  const HostExecution execution;
  Kokkos::parallel_for("kvarium::RowChecksum::rows", Policy(execution, 0, rows.num_rows), sum);
  execution.fence();
  return values;
}

}  // namespace kvarium

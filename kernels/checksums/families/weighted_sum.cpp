#include <Kokkos_Core.hpp>
#include <algorithm>
#include <bit>

#include "core/paged_kv_cache.hpp"
#include "kernels/checksums/cell_bytes_sum.hpp"
#include "kernels/checksums/checksum_input.hpp"
#include "kernels/checksums/element_rule.hpp"
#include "kernels/checksums/piece_change.hpp"

namespace kvarium {
namespace {

/// Adds one layer through the strided view of its cells.
void add_viewed_layer(const CacheLayer& layer, const ChecksumRows& rows, const ChecksumParameters& parameters,
                      std::vector<std::uint64_t>& values) {
  const CellPieces cells = cell_pieces(layer.cache, parameters.piece_width);
  std::vector<std::int64_t> first_tokens(rows.first_tokens, rows.first_tokens + rows.num_rows);
  std::vector<std::int64_t> valid_tokens(rows.valid_tokens, rows.valid_tokens + rows.num_rows);
  for (std::int64_t& token : first_tokens) token *= cells.token_factor;
  for (std::int64_t& token : valid_tokens) {
    token = std::clamp<std::int64_t>(token, 0, layer.cache.geometry.block_size) * cells.token_factor;
  }
  const ChecksumLayer target{reinterpret_cast<std::int64_t>(cells.address),
                             layer.layer * heads_per_layer_weight + layer.first_head, 0};
  LayersChecksumArguments arguments;
  arguments.pieces = cells.view;
  arguments.layers = &target;
  arguments.num_layers = 1;
  arguments.rows = {rows.block_ids, first_tokens.data(), valid_tokens.data(), rows.num_rows};
  arguments.out = values.data();
  layers_checksum(arguments, parameters.implementation);
}

/// Adds one layer by the element rule, for layouts that show no strided view.
void add_layer_by_elements(const CacheLayer& layer, const ChecksumRows& rows, int piece_width,
                           std::vector<std::uint64_t>& values) {
  using Policy = Kokkos::RangePolicy<HostExecution, Kokkos::IndexType<std::int64_t>>;
  const HostExecution execution;
  Kokkos::parallel_for("kvarium::weighted_sum::elements", Policy(execution, 0, rows.num_rows), [&](std::int64_t row) {
    const BlockRow block{rows.block_ids[row], rows.first_tokens[row], rows.valid_tokens[row]};
    values[static_cast<std::size_t>(row)] += element_rule_sum(layer, block, piece_width);
  });
  execution.fence();
}

/// Adds one layer one cell after the other.
void add_layer_by_cells(const CacheLayer& layer, const ChecksumRows& rows, int piece_width,
                        std::vector<std::uint64_t>& values) {
  for (std::int64_t row = 0; row < rows.num_rows; ++row) {
    const BlockRow block{rows.block_ids[row], rows.first_tokens[row], rows.valid_tokens[row]};
    values[static_cast<std::size_t>(row)] += cell_bytes_sum(layer, block, piece_width);
  }
}

/// Position-weighted integer sum over cell bytes. Source: vLLM's kv_checksum, request positions by first_tokens.
class WeightedSum final : public ChecksumFamily {
 public:
  ChecksumTraits traits(const ChecksumParameters& parameters) const override {
    ChecksumTraits traits;
    traits.description = "sum of (2*head+1)*(2*position+1)*piece modulo 2^64 over cell bytes";
    traits.updates = true;
    traits.settings = {"piece_width", "zero_means_absent"};
    traits.blind_classes = {"second differences: four equally spaced changes +d -d -d +d",
                            "bytes past the valid tokens"};
    if (parameters.piece_width == 8) {
      traits.blind_classes.emplace_back("same-lane flips of two pieces in the top bits (8-byte pieces)");
    }
    return traits;
  }

  std::vector<std::uint64_t> compute(const std::vector<CacheLayer>& layers, const ChecksumRows& rows,
                                     const ChecksumParameters& parameters) const override {
    layers_checksum_families().at(parameters.implementation);  // an unknown name is refused in every layout
    std::vector<std::uint64_t> values(static_cast<std::size_t>(rows.num_rows), 0);
    for (const CacheLayer& layer : layers) {
      validate_checksum_layer(layer, rows, parameters.piece_width);
      if (has_cell_pieces(layer.cache, parameters.piece_width)) {
        add_viewed_layer(layer, rows, parameters, values);
      } else if (parameters.implementation == "host_reference") {
        add_layer_by_cells(layer, rows, parameters.piece_width, values);
      } else {
        add_layer_by_elements(layer, rows, parameters.piece_width, values);
      }
    }
    return values;
  }

  bool update(const std::vector<CacheLayer>& layers, const BlockRow& row, std::span<const ChangedByte> changes,
              const ChecksumParameters& parameters, std::span<std::uint64_t> words) const override {
    const int shift = std::countr_zero(static_cast<unsigned int>(parameters.piece_width));
    words[0] += weighted_difference(row, changes, parameters.piece_width, [&](const ChangedByte& change) {
      const CacheLayer& layer = layers[static_cast<std::size_t>(change.layer)];
      const std::int64_t pieces = cell_bytes(layer.cache.geometry) >> shift;
      const auto head =
          static_cast<std::uint64_t>(layer.layer * heads_per_layer_weight + layer.first_head + change.head);
      const auto position =
          static_cast<std::uint64_t>(row.first_token + change.token) * static_cast<std::uint64_t>(pieces) +
          static_cast<std::uint64_t>(change.byte >> shift);
      return (2 * head + 1) * (2 * position + 1);
    });
    return true;
  }
};

}  // namespace

void register_weighted_sum(Registry<ChecksumFamily>& registry) {
  registry.add("weighted_sum", std::make_unique<WeightedSum>());
}

}  // namespace kvarium

#include "experiments/kinds/host_verification.hpp"

#include "kernels/cache/slice_records.hpp"

namespace kvarium {

HostVerification::HostVerification(const DecodeScenario& scenario, const AttentionVariant& variant) {
  if (!variant.verifies()) return;
  layers_.resize(scenario.views().size());
  const auto num_layers = static_cast<std::int64_t>(layers_.size());
  for (std::int64_t layer = 0; layer < num_layers; ++layer) record_layer(scenario.arguments(layer), layer, variant);
}

void HostVerification::record_layer(const PagedAttentionArguments& arguments, std::int64_t layer,
                                    const AttentionVariant& variant) {
  const AttentionShape& shape = arguments.shape;
  Layer& own = layers_[static_cast<std::size_t>(layer)];
  own.covered_tokens.resize(static_cast<std::size_t>(shape.num_sequences * shape.max_num_blocks_per_sequence));
  own.expected.resize(own.covered_tokens.size() * static_cast<std::size_t>(shape.cache.num_kv_heads));
  SliceRecords records;
  records.expected = own.expected.data();
  records.covered_tokens = own.covered_tokens.data();
  records.num_sequences = shape.num_sequences;
  records.max_num_blocks_per_sequence = shape.max_num_blocks_per_sequence;
  records.layer = layer;
  records.sum.checksum = parse_slice_checksum(variant.verification);
  record_blocks(arguments.cache, {arguments.block_tables, arguments.seq_lens}, records);
}

Verification HostVerification::of_layer(std::int64_t layer) {
  if (layers_.empty()) return {};
  const Layer& own = layers_[static_cast<std::size_t>(layer)];
  return {own.expected.data(), own.covered_tokens.data(), layer, 0, &found_};
}

}  // namespace kvarium

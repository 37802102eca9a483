#include "experiments/kinds/device_decode.hpp"

#include <type_traits>

#include "kernels/cache/slice_records.hpp"

namespace kvarium {
namespace {

std::size_t tensor_bytes(const CacheGeometry& geometry) {
  return static_cast<std::size_t>(tensor_elements(geometry) * element_bytes(geometry.element_type));
}

/// Tensors of a dense cache; `packed` has K and V in one.
int num_tensors(const CacheGeometry& geometry) { return geometry.layout == CacheLayout::packed ? 1 : 2; }

}  // namespace

DeviceDecode::DeviceDecode(const DecodeScenario& scenario, const AttentionVariant& variant,
                           std::int64_t working_set_bytes)
    : variant_(variant), caches_(1), output_bytes_(scenario.output_bytes()) {
  findings_ = static_cast<VerificationResult*>(allocate(sizeof(VerificationResult)));
  const auto num_layers = static_cast<std::int64_t>(scenario.views().size());
  for (std::int64_t layer = 0; layer < num_layers; ++layer) copy_layer(scenario, layer);
  make_workspace();
  duplicate_caches(working_set_bytes);
  synchronize_stream(timer_.stream());
}

void* DeviceDecode::allocate(std::size_t bytes) {
  memory_.emplace_back(bytes);
  return memory_.back().data();
}

void* DeviceDecode::keep(const void* host, std::size_t bytes) {
  void* const device = allocate(bytes);
  copy_to_device(device, host, bytes, timer_.stream());
  return device;
}

void DeviceDecode::copy_layer(const DecodeScenario& scenario, std::int64_t layer) {
  PagedAttentionArguments arguments = scenario.arguments(layer);
  const AttentionShape& shape = arguments.shape;
  const auto keep_array = [this](const auto*& array, std::int64_t count) {
    using Element = std::remove_cvref_t<decltype(*array)>;
    if (array != nullptr)
      array = static_cast<const Element*>(keep(array, static_cast<std::size_t>(count) * sizeof(Element)));
  };
  keep_array(arguments.block_tables, shape.num_sequences * shape.max_num_blocks_per_sequence);
  keep_array(arguments.seq_lens, shape.num_sequences);
  keep_array(arguments.alibi_slopes, shape.num_heads);
  keep_array(arguments.sinks, shape.num_heads);
  arguments.query = keep(arguments.query, output_bytes_);
  arguments.stream = timer_.stream();
  const std::size_t bytes = tensor_bytes(shape.cache);
  auto* const key = static_cast<std::byte*>(keep(arguments.cache.key.data, bytes));
  std::byte* value = nullptr;
  if (num_tensors(shape.cache) == 2) value = static_cast<std::byte*>(keep(arguments.cache.value.data, bytes));
  PagedCacheView view = dense_cache_view(shape.cache, key, value);
  view.key_scale = arguments.cache.key_scale;
  view.value_scale = arguments.cache.value_scale;
  arguments.cache = view;
  if (variant_.verifies()) make_records(arguments, layer);
  caches_.front().push_back(view);
  layers_.push_back(arguments);
}

/// Records of the cache as the host filled it; copies of the cache share them.
void DeviceDecode::make_records(PagedAttentionArguments& arguments, std::int64_t layer) {
  const AttentionShape& shape = arguments.shape;
  const auto blocks = static_cast<std::size_t>(shape.num_sequences * shape.max_num_blocks_per_sequence);
  SliceRecords records;
  const std::size_t slice_bytes = blocks * static_cast<std::size_t>(shape.cache.num_kv_heads) * sizeof(std::uint64_t);
  records.expected = static_cast<std::uint64_t*>(allocate(slice_bytes));
  records.covered_tokens = static_cast<std::int32_t*>(allocate(blocks * sizeof(std::int32_t)));
  records.num_sequences = shape.num_sequences;
  records.max_num_blocks_per_sequence = shape.max_num_blocks_per_sequence;
  records.layer = layer;
  record_blocks_on_device(arguments.cache, {arguments.block_tables, arguments.seq_lens}, records, timer_.stream());
  arguments.verification = {records.expected, records.covered_tokens, layer, 0, findings_};
}

VerificationResult DeviceDecode::take_findings() {
  VerificationResult found;
  copy_to_host(&found, findings_, sizeof(found), timer_.stream());
  synchronize_stream(timer_.stream());
  const VerificationResult none;
  copy_to_device(findings_, &none, sizeof(none), timer_.stream());
  synchronize_stream(timer_.stream());
  return found;
}

void DeviceDecode::make_workspace() {
  const AttentionShape& shape = layers_.front().shape;
  AttentionWorkspace workspace;
  workspace.bytes = attention_families().at(variant_.family).workspace_bytes(shape, variant_);
  workspace.data = allocate(workspace.bytes);
  workspace.num_tickets = shape.num_sequences * shape.cache.num_kv_heads;
  const std::size_t ticket_bytes = static_cast<std::size_t>(workspace.num_tickets) * sizeof(std::uint32_t);
  workspace.tickets = static_cast<std::uint32_t*>(allocate(ticket_bytes));
  fill_on_device(workspace.tickets, 0, ticket_bytes, timer_.stream());
  void* const out = allocate(output_bytes_);
  for (PagedAttentionArguments& layer : layers_) {
    layer.workspace = workspace;
    layer.out = out;
  }
}

void DeviceDecode::duplicate_caches(std::int64_t working_set_bytes) {
  const CacheGeometry& geometry = layers_.front().shape.cache;
  const std::size_t bytes = tensor_bytes(geometry);
  const std::int64_t held =
      static_cast<std::int64_t>(bytes) * num_tensors(geometry) * static_cast<std::int64_t>(layers_.size());
  while (held * static_cast<std::int64_t>(caches_.size()) < working_set_bytes) {
    std::vector<PagedCacheView> copy;
    for (const PagedCacheView& original : caches_.front()) {
      PagedCacheView view = original;
      view.key.data = static_cast<std::byte*>(allocate(bytes));
      copy_on_device(view.key.data, original.key.data, bytes, timer_.stream());
      view.value.data = view.key.data + (original.value.data - original.key.data);
      if (num_tensors(geometry) == 2) {
        view.value.data = static_cast<std::byte*>(allocate(bytes));
        copy_on_device(view.value.data, original.value.data, bytes, timer_.stream());
      }
      copy.push_back(view);
    }
    caches_.push_back(std::move(copy));
  }
}

void DeviceDecode::attend(std::size_t layer, std::size_t copy) {
  layers_[layer].cache = caches_[copy][layer];
  paged_attention_v2(layers_[layer], variant_);
}

std::vector<std::byte> DeviceDecode::output(std::int64_t layer) {
  std::vector<std::byte> output(output_bytes_);
  attend(static_cast<std::size_t>(layer), 0);
  copy_to_host(output.data(), layers_.front().out, output.size(), timer_.stream());
  synchronize_stream(timer_.stream());
  return output;
}

void DeviceDecode::launch_step(std::int64_t sample) {
  const std::size_t copy = static_cast<std::size_t>(sample) % caches_.size();
  for (std::size_t layer = 0; layer < layers_.size(); ++layer) attend(layer, copy);
}

double DeviceDecode::time_step(std::int64_t sample) {
  return timer_.seconds([&] { launch_step(sample); });
}

}  // namespace kvarium

#include "experiments/kinds/device_decode.hpp"

#include "kernels/cache/slice_records.hpp"

namespace kvarium {

std::shared_ptr<DeviceCaches> upload_caches(const DecodeScenario& scenario, std::int64_t working_set_bytes) {
  const CudaStream stream;
  auto caches = std::make_shared<DeviceCaches>(scenario.views(), working_set_bytes, stream.handle());
  stream.synchronize();
  return caches;
}

DeviceDecode::DeviceDecode(const DecodeScenario& scenario, const AttentionVariant& variant,
                           std::int64_t working_set_bytes)
    : DeviceDecode(scenario, variant, upload_caches(scenario, working_set_bytes)) {}

DeviceDecode::DeviceDecode(const DecodeScenario& scenario, const AttentionVariant& variant,
                           std::shared_ptr<DeviceCaches> caches)
    : variant_(variant),
      caches_(std::move(caches)),
      cooling_(cooling_of(scenario.kv_bytes(), static_cast<std::int64_t>(caches_->num_copies()))),
      output_bytes_(scenario.output_bytes()) {
  findings_ = static_cast<VerificationResult*>(allocate(sizeof(VerificationResult)));
  const auto num_layers = static_cast<std::int64_t>(scenario.views().size());
  for (std::int64_t layer = 0; layer < num_layers; ++layer) copy_layer(scenario, layer);
  make_workspace();
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

template <class Element>
void DeviceDecode::keep_array(const Element*& array, std::int64_t count) {
  if (array == nullptr) return;
  array = static_cast<const Element*>(keep(array, static_cast<std::size_t>(count) * sizeof(Element)));
}

void DeviceDecode::copy_layer(const DecodeScenario& scenario, std::int64_t layer) {
  PagedAttentionArguments arguments = scenario.arguments(layer);
  const AttentionShape& shape = arguments.shape;
  keep_array(arguments.block_tables, shape.num_sequences * shape.max_num_blocks_per_sequence);
  keep_array(arguments.seq_lens, shape.num_sequences);
  keep_array(arguments.alibi_slopes, shape.num_heads);
  keep_array(arguments.sinks, shape.num_heads);
  arguments.query = keep(arguments.query, output_bytes_);
  arguments.stream = timer_.stream();
  arguments.cache = caches_->of_run(0)[static_cast<std::size_t>(layer)];
  if (variant_.verifies()) make_records(arguments, layer);
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
  records.sum.checksum = parse_slice_checksum(variant_.verification);
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

void DeviceDecode::attend(std::size_t layer, std::int64_t run) {
  layers_[layer].cache = caches_->of_run(run)[layer];
  paged_attention_v2(layers_[layer], variant_);
}

std::vector<std::byte> DeviceDecode::output(std::int64_t layer) {
  attend(static_cast<std::size_t>(layer), 0);
  return latest_output();
}

std::vector<std::byte> DeviceDecode::latest_output() {
  std::vector<std::byte> output(output_bytes_);
  copy_to_host(output.data(), layers_.front().out, output.size(), timer_.stream());
  synchronize_stream(timer_.stream());
  return output;
}

void DeviceDecode::launch_step(std::int64_t sample) {
  for (std::size_t layer = 0; layer < layers_.size(); ++layer) attend(layer, sample);
}

double DeviceDecode::time_step(std::int64_t sample) {
  return timer_.seconds([&](std::int64_t run) { launch_step(run); }, sample, cooling_);
}

}  // namespace kvarium

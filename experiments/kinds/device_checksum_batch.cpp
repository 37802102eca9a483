#include "experiments/kinds/device_checksum_batch.hpp"

#include "experiments/config/checksum_rules.hpp"

namespace kvarium {
namespace {

std::vector<std::vector<CacheLayer>> layers_of(const DeviceCaches& caches, const std::vector<CacheLayer>& numbered) {
  std::vector<std::vector<CacheLayer>> copies;
  for (std::size_t copy = 0; copy < caches.num_copies(); ++copy) {
    std::vector<CacheLayer> layers = numbered;
    const auto& views = caches.of_run(static_cast<std::int64_t>(copy));
    for (std::size_t layer = 0; layer < layers.size(); ++layer) layers[layer].cache = views[layer];
    copies.push_back(std::move(layers));
  }
  return copies;
}

}  // namespace

DeviceChecksumBatch::DeviceChecksumBatch(const DecodeScenario& scenario, const ChecksumConfig& checksum,
                                         std::int64_t working_set_bytes)
    : checksum_(device_checksums().at(checksum.family)),
      caches_(scenario.views(), working_set_bytes, timer_.stream()),
      cooling_(cooling_of(scenario.kv_bytes(), static_cast<std::int64_t>(caches_.num_copies()))),
      layers_(layers_of(caches_, scenario.checksum_layers())) {
  const StoredBlocks stored = scenario.stored_blocks();
  const std::size_t num_rows = stored.block_ids.size();
  block_ids_ = {stored.block_ids.data(), num_rows, timer_.stream()};
  first_tokens_ = {stored.first_tokens.data(), num_rows, timer_.stream()};
  valid_tokens_ = {stored.valid_tokens.data(), num_rows, timer_.stream()};
  const ChecksumParameters parameters = checksum_parameters(checksum);
  const auto words = checksum_families().at(checksum.family).words_per_row(layers_.front(), parameters);
  out_ = DeviceBuffer<std::uint64_t>(num_rows * static_cast<std::size_t>(words));
  call_.rows = {block_ids_.data(), first_tokens_.data(), valid_tokens_.data(), static_cast<std::int64_t>(num_rows)};
  workspace_ = DeviceBytes(checksum_.workspace_bytes(layers_.front(), call_.rows.num_rows));
  call_.out = out_.data();
  call_.workspace = workspace_.data();
  call_.settings = DeviceChecksumSettings::from(parameters);
  call_.settings.chunk = checksum.chunk;
  call_.settings.stream = timer_.stream();
  synchronize_stream(timer_.stream());
}

void DeviceChecksumBatch::launch_call(std::int64_t run) {
  call_.layers = &layers_[static_cast<std::size_t>(run) % layers_.size()];
  checksum_.run(call_);
}

double DeviceChecksumBatch::time_call(std::int64_t sample) {
  return timer_.seconds([&](std::int64_t run) { launch_call(run); }, sample, cooling_);
}

std::vector<std::uint64_t> DeviceChecksumBatch::values() {
  // Whatever an earlier call left there must not pass for this one's.
  fill_on_device(out_.data(), 0xA5, out_.size_bytes(), timer_.stream());
  launch_call(0);
  return latest_values();
}

std::vector<std::uint64_t> DeviceChecksumBatch::latest_values() {
  std::vector<std::uint64_t> values(out_.size());
  copy_to_host(values.data(), out_.data(), out_.size_bytes(), timer_.stream());
  synchronize_stream(timer_.stream());
  return values;
}

}  // namespace kvarium

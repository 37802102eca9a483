#include "kernels/checksums/device_checksum.hpp"
#include "kernels/cuda/device_memory.hpp"

namespace kvarium {
namespace {

class DeviceWeightedSum final : public DeviceChecksum {
 public:
  KernelSource source(const PagedCacheView& cache, const DeviceChecksumSettings& settings) const override {
    return weighted_sum_source(cache, settings);
  }

  std::size_t workspace_bytes(const std::vector<CacheLayer>&, std::int64_t) const override { return 0; }

  void run(const DeviceChecksumCall& call) const override {
    const std::size_t bytes = static_cast<std::size_t>(call.rows.num_rows) * sizeof(std::uint64_t);
    fill_on_device(call.out, 0, bytes, call.settings.stream);
    weighted_sum_on_device(*call.layers, call.rows, call.out, call.settings);
  }
};

}  // namespace

void register_weighted_sum(Registry<DeviceChecksum>& registry) {
  registry.add("weighted_sum", std::make_unique<DeviceWeightedSum>());
}

}  // namespace kvarium

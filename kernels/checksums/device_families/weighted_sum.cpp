#include "kernels/checksums/cuda/zero_sums_launch.hpp"
#include "kernels/checksums/device_checksum.hpp"

namespace kvarium {
namespace {

class DeviceWeightedSum final : public DeviceChecksum {
 public:
  KernelSource source(const PagedCacheView& cache, const DeviceChecksumSettings& settings) const override {
    return weighted_sum_source(cache, settings);
  }

  std::size_t workspace_bytes(const std::vector<CacheLayer>&, std::int64_t) const override { return 0; }

  void run(const DeviceChecksumCall& call) const override {
    if (call.rows.num_rows == 0) return;
    DeviceChecksumSettings settings = call.settings;
    settings.follows_zeroing = zero_sums(call.out, call.rows.num_rows, settings.stream);
    weighted_sum_on_device(*call.layers, call.rows, call.out, settings);
  }
};

}  // namespace

void register_weighted_sum(Registry<DeviceChecksum>& registry) {
  registry.add("weighted_sum", std::make_unique<DeviceWeightedSum>());
}

}  // namespace kvarium

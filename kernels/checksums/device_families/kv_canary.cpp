#include "kernels/checksums/canary_data.hpp"
#include "kernels/checksums/cuda/canary_parameters.cuh"
#include "kernels/checksums/cuda/cell_launch.hpp"
#include "kernels/checksums/device_checksum.hpp"
#include "kernels/cuda/kernel_table.hpp"
#include "kernels/cuda/launch.hpp"

namespace kvarium {
namespace {

constexpr int warps_per_block = 4;

struct CanaryKernels {
  DeviceKernel places;
  DeviceKernel data;
};

class DeviceKvCanary final : public DeviceChecksum {
 public:
  KernelSource source(const PagedCacheView& cache, const DeviceChecksumSettings& settings) const override {
    return source_of(cell_kernel_key({{cache, 0, 0}}, settings));
  }

  std::size_t workspace_bytes(const std::vector<CacheLayer>&, std::int64_t) const override { return 0; }

  void run(const DeviceChecksumCall& call) const override {
    const std::vector<CacheLayer>& layers = *call.layers;
    if (layers.empty() || call.rows.num_rows == 0) return;
    validate_device_layers(layers, call.settings.piece_width);
    const CacheGeometry& geometry = layers.front().cache.geometry;
    const CellKernelKey key = cell_kernel_key(layers, call.settings);
    const CanaryKernels kernels = table_.get(key, [&] {
      return CanaryKernels{load_kernel(source_of(key), "places"), load_kernel(source_of(key), "data")};
    });
    CanaryParameters canary{reinterpret_cast<const long long*>(call.rows.token_ids),
                            static_cast<int>(canary_bytes(geometry, call.settings.canary_data)), 0};
    kernels.places.launch(shape_for_warps((call.rows.num_rows + 31) / 32, warps_per_block), call.settings.stream,
                          parameters_of(call, 0), canary);
    if (call.settings.canary_data == CanaryData::none) return;
    for (int is_value : {0, 1}) {
      canary.is_value = is_value;
      for (std::size_t first = 0; first < layers.size(); first += layers_per_launch) {
        const std::int64_t slots = call.rows.num_rows * geometry.block_size;
        kernels.data.launch(shape_for_warps((slots + 31) / 32, warps_per_block), call.settings.stream,
                            parameters_of(call, first), canary);
      }
    }
  }

 private:
  static KernelSource source_of(const CellKernelKey& key) {
    return {"kernels/checksums/cuda/kv_canary.cuh", {"places", "data"}, key.constants()};
  }

  static CellSumParameters parameters_of(const DeviceChecksumCall& call, std::size_t first) {
    CellSumParameters parameters = cell_parameters(*call.layers, first, call.rows);
    parameters.out = reinterpret_cast<unsigned long long*>(call.out);
    return parameters;
  }

  mutable KernelTable<CellKernelKey, CanaryKernels> table_;
};

}  // namespace

void register_kv_canary(Registry<DeviceChecksum>& registry) {
  registry.add("kv_canary", std::make_unique<DeviceKvCanary>());
}

}  // namespace kvarium

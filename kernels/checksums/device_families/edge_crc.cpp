#include <algorithm>

#include "core/check.hpp"
#include "kernels/checksums/byte_walk.hpp"
#include "kernels/checksums/cuda/cell_launch.hpp"
#include "kernels/checksums/cuda/edge_parameters.cuh"
#include "kernels/checksums/device_checksum.hpp"
#include "kernels/cuda/kernel_table.hpp"
#include "kernels/cuda/launch.hpp"

namespace kvarium {
namespace {

constexpr int warps_per_block = 4;

class DeviceEdgeCrc final : public DeviceChecksum {
 public:
  KernelSource source(const PagedCacheView& cache, const DeviceChecksumSettings& settings) const override {
    return source_of(cell_kernel_key({{cache, 0, 0}}, settings));
  }

  std::size_t workspace_bytes(const std::vector<CacheLayer>&, std::int64_t) const override { return 0; }

  void run(const DeviceChecksumCall& call) const override {
    const std::vector<CacheLayer>& layers = *call.layers;
    if (layers.empty() || call.rows.num_rows == 0) return;
    validate_device_layers(layers, call.settings.piece_width);
    validate_memory_order(layers);
    KVARIUM_VALIDATE(call.settings.edge_width >= 1, "edge_width is ", call.settings.edge_width,
                     " bytes; use 1 or more");
    const CellKernelKey key = cell_kernel_key(layers, call.settings);
    const DeviceKernel kernel = table_.get(key, [&] { return load_kernel(source_of(key), "edge_crc"); });
    const bool is_packed = layers.front().cache.geometry.layout == CacheLayout::packed;
    for (int is_value = 0; is_value < (is_packed ? 1 : 2); ++is_value) {
      for (std::size_t first = 0; first < layers.size(); first += layers_per_launch) {
        const bool is_last = (is_packed || is_value == 1) && first + layers_per_launch >= layers.size();
        CellSumParameters parameters = cell_parameters(layers, first, call.rows);
        parameters.out = reinterpret_cast<unsigned long long*>(call.out);
        EdgeParameters edges = edges_of(layers.front(), call.settings);
        edges.is_value = is_value;
        edges.is_first = is_value == 0 && first == 0 ? 1 : 0;
        edges.is_last = is_last ? 1 : 0;
        kernel.launch(shape_for_warps((call.rows.num_rows + 31) / 32, warps_per_block), call.settings.stream,
                      parameters, edges);
      }
    }
  }

 private:
  static KernelSource source_of(const CellKernelKey& key) {
    return {"kernels/checksums/cuda/edge_crc.cuh", {"edge_crc"}, key.constants()};
  }

  static EdgeParameters edges_of(const CacheLayer& layer, const DeviceChecksumSettings& settings) {
    EdgeParameters edges{};
    edges.buffer_bytes = static_cast<std::int64_t>(block_memory(layer, layer.cache.key, 0).size());
    edges.edge_bytes = std::min<std::int64_t>(settings.edge_width, edges.buffer_bytes / 2);
    return edges;
  }

  mutable KernelTable<CellKernelKey, DeviceKernel> table_;
};

}  // namespace

void register_edge_crc(Registry<DeviceChecksum>& registry) {
  registry.add("edge_crc", std::make_unique<DeviceEdgeCrc>());
}

}  // namespace kvarium

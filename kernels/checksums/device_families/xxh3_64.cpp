#include "kernels/checksums/byte_walk.hpp"
#include "kernels/checksums/cuda/cell_launch.hpp"
#include "kernels/checksums/device_checksum.hpp"
#include "kernels/cuda/kernel_table.hpp"
#include "kernels/cuda/launch.hpp"

namespace kvarium {
namespace {

constexpr int warps_per_block = 4;

/// What the kernels are compiled for.
struct HashKernelKey {
  CellKernelKey cells;
  bool in_memory_order = false;

  auto operator<=>(const HashKernelKey&) const = default;
};

struct HashKernels {
  DeviceKernel store_layers;
  DeviceKernel hash_rows;
};

class DeviceXxh3 final : public DeviceChecksum {
 public:
  KernelSource source(const PagedCacheView& cache, const DeviceChecksumSettings& settings) const override {
    return source_of(key_of({{cache, 0, 0}}, settings));
  }

  std::size_t workspace_bytes(const std::vector<CacheLayer>& layers, std::int64_t) const override {
    return layers.size() * sizeof(SummedLayer);
  }

  void run(const DeviceChecksumCall& call) const override {
    const std::vector<CacheLayer>& layers = *call.layers;
    if (layers.empty() || call.rows.num_rows == 0) return;
    validate_device_layers(layers, call.settings.piece_width);
    if (call.settings.byte_order == ByteOrder::memory) validate_memory_order(layers);
    const HashKernelKey key = key_of(layers, call.settings);
    const HashKernels kernels = table_.get(key, [&] {
      return HashKernels{load_kernel(source_of(key), "store_layers"), load_kernel(source_of(key), "hash_rows")};
    });
    for (std::size_t first = 0; first < layers.size(); first += layers_per_launch) {
      kernels.store_layers.launch(shape_for_warps(layers_per_launch / 32, warps_per_block), call.settings.stream,
                                  parameters_of(call, first));
    }
    kernels.hash_rows.launch(shape_for_warps(call.rows.num_rows, warps_per_block), call.settings.stream,
                             parameters_of(call, 0));
  }

 private:
  static HashKernelKey key_of(const std::vector<CacheLayer>& layers, const DeviceChecksumSettings& settings) {
    return {cell_kernel_key(layers, settings), settings.byte_order == ByteOrder::memory};
  }

  static KernelSource source_of(const HashKernelKey& key) {
    return {"kernels/checksums/cuda/xxh3_64.cuh",
            {"store_layers", "hash_rows"},
            key.cells.constants().add("in_memory_order", key.in_memory_order)};
  }

  static CellSumParameters parameters_of(const DeviceChecksumCall& call, std::size_t first) {
    CellSumParameters parameters = cell_parameters(*call.layers, first, call.rows);
    parameters.out = reinterpret_cast<unsigned long long*>(call.out);
    parameters.workspace = static_cast<unsigned long long*>(call.workspace);
    return parameters;
  }

  mutable KernelTable<HashKernelKey, HashKernels> table_;
};

}  // namespace

void register_xxh3_64(Registry<DeviceChecksum>& registry) { registry.add("xxh3_64", std::make_unique<DeviceXxh3>()); }

}  // namespace kvarium

#include "kernels/checksums/cuda/cell_launch.hpp"
#include "kernels/cuda/kernel_table.hpp"
#include "kernels/cuda/launch.hpp"

namespace kvarium {
namespace {

constexpr int warps_per_block = 4;

KernelSource source_of(const CellKernelKey& key) {
  return {"kernels/checksums/cuda/cell_sum.cuh", {"cell_sum"}, key.constants()};
}

}  // namespace

KernelSource weighted_sum_source(const PagedCacheView& cache, const DeviceChecksumSettings& settings) {
  return source_of(cell_kernel_key({{cache, 0, 0}}, settings));
}

void weighted_sum_on_device(const std::vector<CacheLayer>& layers, const ChecksumRows& rows, std::uint64_t* out,
                            const DeviceChecksumSettings& settings) {
  if (layers.empty() || rows.num_rows == 0) return;
  validate_device_layers(layers, settings.piece_width);
  static KernelTable<CellKernelKey, DeviceKernel> table;
  const CellKernelKey key = cell_kernel_key(layers, settings);
  const DeviceKernel kernel = table.get(key, [&] { return load_kernel(source_of(key), "cell_sum"); });
  for (std::size_t first = 0; first < layers.size(); first += layers_per_launch) {
    CellSumParameters parameters = cell_parameters(layers, first, rows);
    parameters.out = reinterpret_cast<unsigned long long*>(out);
    const std::int64_t warps = key.warps_per_row() * parameters.num_layers * rows.num_rows;
    kernel.launch(shape_for_warps(warps, warps_per_block), settings.stream, parameters);
  }
}

}  // namespace kvarium

#include "kernels/memory/device_reader.hpp"

#include <cstdint>

#include "core/text.hpp"
#include "kernels/cuda/context.hpp"
#include "kernels/cuda/kernel_table.hpp"
#include "kernels/cuda/launch.hpp"

namespace kvarium {
namespace {

LaunchShape grid_of(const DeviceReader& reader) {
  LaunchShape shape;
  shape.grid[0] = static_cast<unsigned int>(current_device().multiprocessors * reader.blocks_per_multiprocessor);
  shape.block[0] = static_cast<unsigned int>(reader.threads);
  return shape;
}

}  // namespace

std::string DeviceReader::name() const {
  return concatenate("read_", threads, "x", blocks_per_multiprocessor, "x", loads);
}

KernelSource DeviceReader::source() const {
  VariantConstants constants;
  constants.add("threads", threads).add("loads", loads);
  return {"kernels/memory/cuda/stream_read.cuh", {"stream_read", "fill_random"}, constants};
}

void DeviceReader::read(const void* data, std::size_t bytes, void* sink, void* stream) const {
  static KernelTable<std::pair<int, int>, DeviceKernel> table;
  const DeviceKernel kernel = table.get({threads, loads}, [this] { return load_kernel(source(), "stream_read"); });
  kernel.launch(grid_of(*this), stream, data, std::uint64_t{bytes / 16}, sink);
}

const std::vector<DeviceReader>& device_readers() {
  static const std::vector<DeviceReader> readers = [] {
    std::vector<DeviceReader> all;
    for (int threads : {256, 512}) {
      for (int blocks : {2, 4, 8}) {
        for (int loads : {4, 8}) all.push_back({threads, blocks, loads});
      }
    }
    return all;
  }();
  return readers;
}

void fill_random_on_device(void* data, std::size_t bytes, void* stream) {
  const DeviceReader shape;
  load_kernel(shape.source(), "fill_random").launch(grid_of(shape), stream, data, std::uint64_t{bytes / 8});
}

}  // namespace kvarium

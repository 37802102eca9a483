#include "tests/support/device_arrays.hpp"

#include <algorithm>

#include "kernels/cuda/stream.hpp"

namespace kvarium::test {
namespace {

constexpr unsigned char not_a_number = 0xFF;

/// Elements from the first to one past the last of `blocks` blocks.
std::int64_t extent(const CacheGeometry& geometry, const CacheStrides& strides, std::int64_t blocks) {
  if (blocks == 0) return 0;
  return strides.offset(blocks - 1, geometry.num_kv_heads - 1, geometry.block_size - 1, geometry.head_size - 1) + 1;
}

}  // namespace

void* DeviceArrays::allocate_like(const void* host, std::size_t bytes) {
  // Not a byte more than needed, so that a memory checker sees what is read past the end.
  const std::size_t shift = reinterpret_cast<std::uintptr_t>(host) % 256;
  memory_.emplace_back(shift + bytes);
  return static_cast<std::byte*>(memory_.back().data()) + shift;
}

void* DeviceArrays::stage(const void* host, std::size_t bytes) {
  void* const device = allocate_like(host, bytes);
  copy_to_device(device, host, bytes);
  return device;
}

void DeviceArrays::copy_blocks(PagedCacheView& cache, const std::vector<std::int64_t>& blocks) {
  const CacheGeometry& geometry = cache.geometry;
  if (geometry.layout == CacheLayout::packed) {
    // K and V are of one tensor there too.
    const std::ptrdiff_t distance = cache.value.data - cache.key.data;
    copy_tensor(cache.key, geometry, distance, blocks);
    cache.value.data = cache.key.data + distance;
    return;
  }
  copy_tensor(cache.key, geometry, 0, blocks);
  copy_tensor(cache.value, geometry, 0, blocks);
}

void DeviceArrays::copy_tensor(CacheTensor& tensor, const CacheGeometry& geometry, std::ptrdiff_t more_bytes,
                               const std::vector<std::int64_t>& blocks) {
  const std::int64_t element = element_bytes(geometry.element_type);
  const auto bytes_of = [&](std::int64_t count) {
    return static_cast<std::size_t>(extent(geometry, tensor.strides, count) * element + (count > 0 ? more_bytes : 0));
  };
  auto* const device = static_cast<std::byte*>(allocate_like(tensor.data, bytes_of(geometry.num_blocks)));
  fill_on_device(device, not_a_number, bytes_of(geometry.num_blocks));
  for (std::int64_t block : blocks) {
    if (block < 0 || block >= geometry.num_blocks) continue;
    const std::int64_t offset = block * tensor.strides.block * element;
    copy_to_device(device + offset, tensor.data + offset, bytes_of(1));
  }
  tensor.data = device;
}

void DeviceArrays::fetch() {
  synchronize_stream(nullptr);
  for (const Result& result : results_) copy_to_host(result.host, result.device, result.bytes);
  synchronize_stream(nullptr);
}

}  // namespace kvarium::test

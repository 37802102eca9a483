#pragma once

#include <vector>

#include "core/paged_cache_view.hpp"
#include "kernels/cuda/device_memory.hpp"

namespace kvarium::test {

/// Copies of host arrays in device memory, as long as this object lives.
class DeviceArrays {
 public:
  /// Copies `bytes` bytes to the device and points `array` at them, at the same address modulo 256. Null stays null.
  template <class Element>
  void copy(Element*& array, std::size_t bytes) {
    if (array != nullptr) array = static_cast<Element*>(stage(array, bytes));
  }

  /// The same; `fetch` copies the bytes back.
  template <class Element>
  void copy_back(Element*& array, std::size_t bytes) {
    if (array == nullptr) return;
    void* const device = stage(array, bytes);
    results_.push_back({array, device, bytes});
    array = static_cast<Element*>(device);
  }

  /// Makes room for the whole cache, fills it with NaN and copies those of `blocks` that it has into it.
  void copy_blocks(PagedCacheView& cache, const std::vector<std::int64_t>& blocks);

  /// Waits for the default stream and copies results back.
  void fetch();

 private:
  struct Result {
    void* host;
    const void* device;
    std::size_t bytes;
  };

  /// `more_bytes`: of a block, past the last element of the tensor itself.
  void copy_tensor(CacheTensor& tensor, const CacheGeometry& geometry, std::ptrdiff_t more_bytes,
                   const std::vector<std::int64_t>& blocks);
  void* stage(const void* host, std::size_t bytes);
  void* allocate_like(const void* host, std::size_t bytes);

  std::vector<DeviceBytes> memory_;
  std::vector<Result> results_;
};

}  // namespace kvarium::test

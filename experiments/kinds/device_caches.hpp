#pragma once

#include <cstdint>
#include <vector>

#include "core/paged_cache_view.hpp"
#include "kernels/cuda/device_memory.hpp"

namespace kvarium {

/// The dense caches of all layers in device memory, copied as often as make up a working set, so that runs that walk
/// through the copies find nothing in the device's caches.
class DeviceCaches {
 public:
  /// `host`: one filled dense cache a layer, of equal geometry, at least one. Copies are put on `stream`; host memory
  /// must stay until that is synchronised. Errors: NotConfigured without a device, DriverError when its memory is
  /// short.
  DeviceCaches(const std::vector<PagedCacheView>& host, std::int64_t working_set_bytes, void* stream);

  /// The caches of run `run`, one a layer: copies take turns.
  const std::vector<PagedCacheView>& of_run(std::int64_t run) const {
    return copies_[static_cast<std::size_t>(run) % copies_.size()];
  }
  std::size_t num_copies() const { return copies_.size(); }

 private:
  PagedCacheView upload(const PagedCacheView& host);
  PagedCacheView duplicate(const PagedCacheView& original);
  PagedCacheView allocate_like(const PagedCacheView& cache);

  void* stream_;
  std::vector<DeviceBytes> memory_;
  std::vector<std::vector<PagedCacheView>> copies_;  ///< [num_copies][num_layers]
};

}  // namespace kvarium

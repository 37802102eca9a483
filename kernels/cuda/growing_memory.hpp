#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

#include "kernels/cuda/device_memory.hpp"

namespace kvarium {

/// Memory of one device that calls of changing size work in one after another: it grows when a call needs more and is
/// then reused without an allocation. What it held before stays allocated until the object goes, since captured CUDA
/// graphs and work still on a stream may use it. Thread-safe; calls that run at the same time need one each.
class GrowingMemory {
 public:
  /// Allocates nothing yet.
  explicit GrowingMemory(int device) : device_(device) {}
  ~GrowingMemory();
  GrowingMemory(const GrowingMemory&) = delete;
  GrowingMemory& operator=(const GrowingMemory&) = delete;

  int device() const { return device_; }
  /// Bytes a call may use without an allocation.
  std::size_t size_bytes() const;

  /// To be held from `reserve` until all launches of a call are on their stream: two calls whose launches mixed would
  /// overwrite each other's contents.
  std::unique_lock<std::mutex> hold_for_launches() { return std::unique_lock(launches_); }

  /// At least `bytes` bytes; may grow while a CUDA graph is captured. Precondition: the device is current.
  /// Errors: NotConfigured; DriverError when memory is short.
  void* reserve(std::size_t bytes);

 private:
  int device_;
  mutable std::mutex mutex_;
  std::mutex launches_;
  std::vector<DeviceBytes> blocks_;  ///< of growing sizes; the last one is in use
};

}  // namespace kvarium

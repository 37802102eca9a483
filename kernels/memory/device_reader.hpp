#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kernels/cuda/kernel_source.hpp"

namespace kvarium {

/// One way to read device memory as fast as it goes: the yardstick of bandwidth-bound CUDA kernels.
struct DeviceReader {
  int threads = 512;  ///< of a thread block
  int blocks_per_multiprocessor = 4;
  int loads = 4;  ///< 16-byte loads in flight in a thread

  /// Such as "read_512x4x4".
  std::string name() const;
  KernelSource source() const;

  /// Puts one read of `bytes` (a multiple of 16) at `data` (16-byte aligned) on `stream`. `sink`: four bytes that are
  /// practically never written. Errors: NotConfigured, DriverError.
  void read(const void* data, std::size_t bytes, void* sink, void* stream) const;
};

/// 256 or 512 threads, 2, 4 or 8 thread blocks a multiprocessor, 4 or 8 loads: twelve readers, of which the fastest
/// counts.
const std::vector<DeviceReader>& device_readers();

/// Fills device memory (`bytes` a multiple of 8) with words that no memory system compresses, on `stream`.
void fill_random_on_device(void* data, std::size_t bytes, void* stream);

}  // namespace kvarium

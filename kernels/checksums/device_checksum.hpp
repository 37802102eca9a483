#pragma once

#include "kernels/checksums/checksum_family.hpp"
#include "kernels/checksums/device_checksums.hpp"

namespace kvarium {

/// One call of a checksum on a device: caches and arrays are device memory.
struct DeviceChecksumCall {
  const std::vector<CacheLayer>* layers = nullptr;  ///< of equal geometry and strides
  ChecksumRows rows;
  std::uint64_t* out = nullptr;  ///< [num_rows, words_per_row] as on the host, written
  void* workspace = nullptr;     ///< `workspace_bytes`; any contents before and after, 16-byte aligned
  DeviceChecksumSettings settings;
};

/// A checksum of checksum_families() on a device, under the same name, bit-equal with the host's. Rows whose block id
/// lies outside the cache have the value of no bytes: nothing waits to report them.
class DeviceChecksum {
 public:
  virtual ~DeviceChecksum() = default;

  /// The device source for such caches, for tests that compile it.
  virtual KernelSource source(const PagedCacheView& cache, const DeviceChecksumSettings& settings) const = 0;

  virtual std::size_t workspace_bytes(const std::vector<CacheLayer>& layers, std::int64_t num_rows) const = 0;

  /// Puts the work on the stream of the settings; allocates nothing and waits for nothing. Errors: InputError for
  /// unlike layers, NotConfigured, DriverError.
  virtual void run(const DeviceChecksumCall& call) const = 0;
};

const Registry<DeviceChecksum>& device_checksums();

}  // namespace kvarium

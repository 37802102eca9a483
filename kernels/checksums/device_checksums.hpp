#pragma once

#include "kernels/checksums/checksum_family.hpp"
#include "kernels/cuda/kernel_source.hpp"

namespace kvarium {

/// How a checksum runs on a device.
struct DeviceChecksumSettings {
  int piece_width = 8;     ///< bytes of one piece
  std::int64_t chunk = 0;  ///< pieces that one warp sums; 0: 8 KiB of them
  void* stream = nullptr;  ///< CUstream the work is put on; null: the default stream
  /// The launch ahead on the stream is that of `zero_sums`, which said so: the sums are not added before it has ended.
  bool follows_zeroing = false;
  std::uint64_t seed = 0;  ///< as in ChecksumParameters, and likewise below
  ByteOrder byte_order = ByteOrder::cell;
  int sampled_buffers = 0;
  int edge_width = 4;
  CanaryData canary_data = CanaryData::all;

  /// The same settings on a device.
  static DeviceChecksumSettings from(const ChecksumParameters& parameters);
};

/// layers_checksum on device memory: every pointer of `arguments` is the device's, the addresses in `layers` too. Work
/// is put on `stream`; nothing is allocated and nothing waits. Rows whose block id lies outside the view, and layers
/// whose column lies outside `out`, add nothing; `aligned` promises 16-byte aligned addresses;
/// layers elsewhere then add nothing. The
/// piece width is that of `arguments.pieces`. Bit-equal with the host's. Errors: InputError for shapes, NotConfigured,
/// DriverError.
void layers_checksum_on_device(const LayersChecksumArguments& arguments, const DeviceChecksumSettings& settings = {});

/// Adds weighted_sum of every row over all `layers` (caches in device memory, equal geometry and strides) to `out`
/// [num_rows], device memory like the arrays of `rows`. Runs in memory's own order in every layout, `packed` as
/// layers_checksum of its view. Rows whose block id
/// lies outside the cache add nothing. Bit-equal with the host's. Errors: InputError for unlike layers, NotConfigured,
/// DriverError.
void weighted_sum_on_device(const std::vector<CacheLayer>& layers, const ChecksumRows& rows, std::uint64_t* out,
                            const DeviceChecksumSettings& settings = {});

/// The device sources at those settings, for tests that compile them.
KernelSource layers_checksum_source(const LayersChecksumArguments& arguments, const DeviceChecksumSettings& settings);
KernelSource weighted_sum_source(const PagedCacheView& cache, const DeviceChecksumSettings& settings);

}  // namespace kvarium

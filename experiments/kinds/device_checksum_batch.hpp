#pragma once

#include <vector>

#include "experiments/kinds/decode_scenario.hpp"
#include "experiments/kinds/device_caches.hpp"
#include "experiments/kinds/device_timer.hpp"
#include "kernels/checksums/device_checksum.hpp"

namespace kvarium {

/// The blocks that a decode scenario stores in device memory, with a stream and everything a checksum of
/// device_checksums() works in. One call sums all layers.
class DeviceChecksumBatch {
 public:
  /// Copies of all layers' caches make up `working_set_bytes`. Errors: InputError for a checksum without a device form,
  /// NotConfigured without a device, DriverError when its memory is short.
  DeviceChecksumBatch(const DecodeScenario& scenario, const ChecksumConfig& checksum, std::int64_t working_set_bytes);

  /// Values [num_rows, words of a value] of a fresh call on the first copy, in the order of scenario.stored_blocks().
  std::vector<std::uint64_t> values();
  /// Values likewise that the latest call on the stream left; waits for it.
  std::vector<std::uint64_t> latest_values();

  /// Seconds between two events around one call with cold caches.
  double time_call(std::int64_t sample);
  /// Puts one call on the caches of run `run` on the stream.
  void launch_call(std::int64_t run);
  const CudaStream& stream() const { return timer_.cuda_stream(); }

 private:
  const DeviceChecksum& checksum_;
  DeviceTimer timer_;
  DeviceCaches caches_;
  Cooling cooling_;
  std::vector<std::vector<CacheLayer>> layers_;  ///< [num_copies][num_layers]
  DeviceBuffer<std::int64_t> block_ids_, first_tokens_, valid_tokens_;
  DeviceBuffer<std::uint64_t> out_;
  DeviceBytes workspace_;
  DeviceChecksumCall call_;
};

}  // namespace kvarium

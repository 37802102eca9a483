#pragma once

#include <memory>
#include <vector>

#include "experiments/kinds/decode_scenario.hpp"
#include "experiments/kinds/device_caches.hpp"
#include "experiments/kinds/device_timer.hpp"

namespace kvarium {

/// The scenario's caches in device memory, copied as often as make up `working_set_bytes`. Returns when they are there.
/// Errors: NotConfigured without a device, DriverError when its memory is short.
std::shared_ptr<DeviceCaches> upload_caches(const DecodeScenario& scenario, std::int64_t working_set_bytes);

/// A decode scenario in device memory, with a stream and everything one variant works in.
class DeviceDecode {
 public:
  /// Copies of all layers' caches make up `working_set_bytes`, so that timed steps that walk through them find nothing
  /// in the device's caches. Errors: NotConfigured without a device, DriverError when its memory is short.
  DeviceDecode(const DecodeScenario& scenario, const AttentionVariant& variant, std::int64_t working_set_bytes);

  /// The same over caches that are in device memory already, filled as the scenario's.
  DeviceDecode(const DecodeScenario& scenario, const AttentionVariant& variant, std::shared_ptr<DeviceCaches> caches);

  /// Output of one layer, [num_sequences, num_heads, head_size] of query_type.
  std::vector<std::byte> output(std::int64_t layer);
  /// The last output on the stream: after a step, that of the last layer. Waits for it.
  std::vector<std::byte> latest_output();

  /// Seconds between two events around one decode step of all layers with cold caches; runs take turns on the copies.
  double time_step(std::int64_t sample);

  /// Puts one decode step of all layers on the stream, on copy `sample` of the caches.
  void launch_step(std::int64_t sample);
  const CudaStream& stream() const { return timer_.cuda_stream(); }

  /// What a variant that verifies has found since the last call.
  VerificationResult take_findings();

 private:
  void copy_layer(const DecodeScenario& scenario, std::int64_t layer);
  void make_workspace();
  void make_records(PagedAttentionArguments& arguments, std::int64_t layer);
  void* allocate(std::size_t bytes);
  void* keep(const void* host, std::size_t bytes);
  template <class Element>
  void keep_array(const Element*& array, std::int64_t count);
  void attend(std::size_t layer, std::int64_t run);

  AttentionVariant variant_;
  DeviceTimer timer_;
  std::shared_ptr<DeviceCaches> caches_;
  Cooling cooling_;
  std::vector<DeviceBytes> memory_;
  std::vector<PagedAttentionArguments> layers_;  ///< all pointers into device memory
  VerificationResult* findings_ = nullptr;       ///< device memory
  std::size_t output_bytes_ = 0;
};

}  // namespace kvarium

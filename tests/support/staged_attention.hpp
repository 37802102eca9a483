#pragma once

#include "kernels/attention/attention_family.hpp"
#include "kernels/cuda/device_memory.hpp"
#include "tests/support/device_arrays.hpp"

namespace kvarium::test {

/// One call of a CUDA family with all its arrays in device memory, each at the address modulo 256 it has on the host.
/// Of the cache only the blocks that the sequences attend are copied, between NaN; the workspace starts as NaN.
class StagedAttention {
 public:
  /// `arguments` point to host arrays.
  StagedAttention(const PagedAttentionArguments& arguments, const AttentionVariant& variant);

  /// Arguments as the family gets them, open to changes.
  PagedAttentionArguments& arguments() { return arguments_; }

  /// Puts the call on a stream. May be called again, and while a graph is captured.
  void run(void* stream = nullptr);

  /// Waits for the stream and copies output, LSE and partial buffers into the host arrays.
  void fetch();

 private:
  PagedAttentionArguments arguments_;
  AttentionVariant variant_;
  DeviceArrays arrays_;
  DeviceBytes workspace_;
  DeviceBuffer<std::uint32_t> tickets_;
};

}  // namespace kvarium::test

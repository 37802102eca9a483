#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/attention/attention_arguments.hpp"

namespace kvarium::host {

/// One unit of parallel work: all query heads of a KV head over one partition of one sequence.
struct PartitionUnit {
  std::int64_t sequence = 0;
  std::int64_t kv_head = 0;
  std::int64_t partition = 0;
};

/// What every unit of a call shares.
struct PartitionKernel {
  const PagedAttentionArguments* arguments = nullptr;
  PartialBuffers partials;
  int partition_size = 512;
  int block_n = 64;

  /// Bytes of scratch memory one running unit needs.
  std::size_t scratch_bytes() const;

  /// Phase 1 for one unit: writes its rows of the partial buffers. `scratch` is 64-byte aligned.
  void run(const PartitionUnit& unit, std::byte* scratch) const;
};

}  // namespace kvarium::host

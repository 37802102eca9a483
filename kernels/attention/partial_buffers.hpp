#pragma once

#include <vector>

#include "kernels/attention/attention_arguments.hpp"

namespace kvarium {

/// The caller's partial buffers, or own ones in float32 when the caller gave none.
class PartialStorage {
 public:
  PartialStorage(const PagedAttentionArguments& arguments, int partition_size);

  const PartialBuffers& buffers() const { return buffers_; }

 private:
  std::vector<float> scalars_;
  std::vector<float> outputs_;
  PartialBuffers buffers_;
};

}  // namespace kvarium

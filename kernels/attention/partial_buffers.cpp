#include "kernels/attention/partial_buffers.hpp"

namespace kvarium {

PartialStorage::PartialStorage(const PagedAttentionArguments& arguments, int partition_size)
    : buffers_(arguments.partials) {
  if (buffers_.tmp_out != nullptr) return;
  const AttentionShape& shape = arguments.shape;
  buffers_.max_num_partitions = num_partitions(shape.max_seq_len, partition_size);
  const auto rows = static_cast<std::size_t>(shape.num_sequences * shape.num_heads * buffers_.max_num_partitions);
  scalars_.resize(2 * rows);
  outputs_.resize(rows * static_cast<std::size_t>(shape.cache.head_size));
  buffers_.exp_sums = scalars_.data();
  buffers_.max_logits = scalars_.data() + rows;
  buffers_.tmp_out = outputs_.data();
  buffers_.element_type = ElementType::float32;
}

}  // namespace kvarium

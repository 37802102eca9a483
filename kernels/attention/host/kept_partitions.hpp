#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/paged_kv_cache.hpp"
#include "kernels/attention/attention_family.hpp"
#include "kernels/attention/host/partition_kernel.hpp"
#include "kernels/attention/partial_buffers.hpp"

namespace kvarium::host {

/// Attention of the family `host` whose partial results are kept, so that a change of the cache costs the partitions it
/// lies in: these are attended again, their (sequence, head) rows reduced again, and then everything is as it was.
/// Bit-identical to running all of it.
class KeptPartitions {
 public:
  /// Runs all partitions. `arguments.out` and `lse` are not used. Errors: InputError as paged_attention_v2.
  KeptPartitions(const PagedAttentionArguments& arguments, const AttentionVariant& variant);

  /// Output [num_sequences, num_heads, head_size] of query_type from the run in the constructor.
  const std::vector<std::byte>& output() const { return output_; }
  /// Tokens of one partition: at most the variant's.
  int partition_size() const { return kernel_.partition_size; }

  /// The output under `arguments`, of the shape given to the constructor, whose contents, tables, lengths, scales or
  /// type differ from those of the constructor in nothing but what `units` attend, and in lengths. Units past the
  /// visible partitions are left out; each brings its rows to be reduced again. `units` is sorted and rid of what is
  /// left out. Valid until the next call.
  const std::vector<std::byte>& rerun(const PagedAttentionArguments& arguments, std::vector<PartitionUnit>& units);
  /// Rows sequence * num_heads + head that the last rerun reduced again; the others are those of output().
  const std::vector<std::int64_t>& reduced_rows() const { return rows_; }

 private:
  using Scratch = Kokkos::View<std::byte**, Kokkos::LayoutRight, HostMemory>;
  /// Partial results of one row of a partition, to be put back.
  struct SavedRow {
    std::int64_t row = 0;
    float exp_sum = 0;
    float max_logit = 0;
  };

  void prepare(PagedAttentionArguments& call, std::vector<PartitionUnit>& units);
  void run(const PagedAttentionArguments& call, const std::vector<PartitionUnit>& units);
  void save(const std::vector<PartitionUnit>& units);
  void put_back();
  std::span<std::byte> bytes_of(std::vector<std::byte>& output, std::int64_t row) const;

  PagedAttentionArguments arguments_;
  PartialStorage storage_;
  PartitionKernel kernel_;
  Scratch scratch_;
  std::vector<std::byte> output_, rerun_output_;
  std::vector<std::int64_t> rows_;
  std::vector<SavedRow> saved_;
  std::vector<float> saved_outputs_;  ///< [saved_, head_size]
};

}  // namespace kvarium::host

#include "kernels/attention/host/kept_partitions.hpp"

#include <algorithm>
#include <tuple>

#include "kernels/attention/reduce_partitions.hpp"

namespace kvarium::host {
namespace {

/// Units worth sharing out among threads; fewer run on the calling one.
constexpr std::size_t units_to_share = 8;

/// The longest sequence in whole blocks, where the partition is longer: see the family.
int used_partition_size(const AttentionShape& shape, int partition_size) {
  const std::int64_t block_size = shape.cache.block_size;
  const std::int64_t longest = std::max<std::int64_t>(num_partitions(shape.max_seq_len, block_size), 1) * block_size;
  return static_cast<int>(std::min<std::int64_t>(partition_size, longest));
}

const PagedAttentionArguments& validated(const PagedAttentionArguments& arguments, const AttentionVariant& variant) {
  validate_shapes(arguments, variant.partition_size);
  validate_block_tables(arguments);
  return arguments;
}

auto order(const PartitionUnit& unit) { return std::tuple{unit.sequence, unit.kv_head, unit.partition}; }

bool same(const PartitionUnit& one, const PartitionUnit& other) { return order(one) == order(other); }

/// Every visible unit; of a sequence without any, one that stands for its rows.
std::vector<PartitionUnit> all_units(const PagedAttentionArguments& arguments, int partition_size) {
  std::vector<PartitionUnit> units;
  for (std::int64_t sequence = 0; sequence < arguments.shape.num_sequences; ++sequence) {
    const PartitionRange range = visible_partitions(arguments, partition_size, sequence);
    for (std::int64_t head = 0; head < arguments.shape.cache.num_kv_heads; ++head) {
      for (std::int64_t part = range.first; part < std::max(range.last, range.first + 1); ++part) {
        units.push_back({sequence, head, part});
      }
    }
  }
  return units;
}

}  // namespace

KeptPartitions::KeptPartitions(const PagedAttentionArguments& arguments, const AttentionVariant& variant)
    : arguments_(validated(arguments, variant)),
      storage_(arguments_, used_partition_size(arguments_.shape, variant.partition_size)),
      kernel_{&arguments_, storage_.buffers(), used_partition_size(arguments_.shape, variant.partition_size),
              std::min(variant.block_n, used_partition_size(arguments_.shape, variant.partition_size))} {
  scratch_ = Scratch(Kokkos::view_alloc(Kokkos::WithoutInitializing, "kvarium::KeptPartitions::scratch"),
                     static_cast<std::size_t>(HostExecution().concurrency()), kernel_.scratch_bytes());
  const AttentionShape& shape = arguments_.shape;
  output_.resize(static_cast<std::size_t>(shape.num_sequences * shape.num_heads * shape.cache.head_size *
                                          element_bytes(shape.query_type)));
  rerun_output_ = output_;
  std::vector<PartitionUnit> units = all_units(arguments_, kernel_.partition_size);
  PagedAttentionArguments call = arguments_;
  prepare(call, units);
  run(call, units);
  output_ = rerun_output_;
}

const std::vector<std::byte>& KeptPartitions::rerun(const PagedAttentionArguments& arguments,
                                                    std::vector<PartitionUnit>& units) {
  for (const std::int64_t row : rows_) std::ranges::copy(bytes_of(output_, row), bytes_of(rerun_output_, row).begin());
  PagedAttentionArguments call = arguments;
  prepare(call, units);
  save(units);
  run(call, units);
  put_back();
  return rerun_output_;
}

/// Orders the units, lists the rows they belong to, and leaves out those that nobody sees.
void KeptPartitions::prepare(PagedAttentionArguments& call, std::vector<PartitionUnit>& units) {
  call.out = rerun_output_.data();
  call.lse = nullptr;
  std::ranges::sort(units, {}, order);
  units.erase(std::unique(units.begin(), units.end(), same), units.end());
  const std::int64_t group = call.shape.query_heads_per_kv_head();
  rows_.clear();
  for (const PartitionUnit& unit : units) {
    const std::int64_t first = unit.sequence * call.shape.num_heads + unit.kv_head * group;
    if (!rows_.empty() && rows_.back() == first + group - 1) continue;
    for (std::int64_t head = 0; head < group; ++head) rows_.push_back(first + head);
  }
  std::erase_if(units, [&](const PartitionUnit& unit) {
    const PartitionRange visible = visible_partitions(call, kernel_.partition_size, unit.sequence);
    return unit.partition < visible.first || unit.partition >= visible.last;
  });
}

void KeptPartitions::run(const PagedAttentionArguments& call, const std::vector<PartitionUnit>& units) {
  using Policy = Kokkos::RangePolicy<HostExecution, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<std::int64_t>>;
  PartitionKernel kernel = kernel_;
  kernel.arguments = &call;
  if (units.size() < units_to_share) {
    for (const PartitionUnit& unit : units) kernel.run(unit, &scratch_(0, 0));
  } else {
    const HostExecution execution;
    const Kokkos::Experimental::UniqueToken<HostExecution> token(execution);
    Kokkos::parallel_for("kvarium::KeptPartitions::partitions",
                         Policy(execution, 0, std::ssize(units), Kokkos::ChunkSize(1)), [&](std::int64_t index) {
                           const auto id = token.acquire();
                           kernel.run(units[static_cast<std::size_t>(index)],
                                      &scratch_(static_cast<std::size_t>(id), 0));
                           token.release(id);
                         });
    execution.fence();
  }
  for (const std::int64_t row : rows_) {
    PartitionRange range = visible_partitions(call, kernel_.partition_size, row / call.shape.num_heads);
    range.head = row % call.shape.num_heads;
    reduce_partitions(call, kernel_.partials, range);
  }
}

void KeptPartitions::save(const std::vector<PartitionUnit>& units) {
  const PartialBuffers& partials = kernel_.partials;
  const auto* outputs = static_cast<const float*>(partials.tmp_out);
  const std::int64_t size = arguments_.shape.cache.head_size;
  const std::int64_t group = arguments_.shape.query_heads_per_kv_head();
  saved_.clear();
  saved_outputs_.clear();
  for (const PartitionUnit& unit : units) {
    for (std::int64_t head = unit.kv_head * group; head < (unit.kv_head + 1) * group; ++head) {
      const std::int64_t row = partial_row(arguments_.shape, partials, {unit.sequence, head, unit.partition});
      saved_.push_back({row, partials.exp_sums[row], partials.max_logits[row]});
      saved_outputs_.insert(saved_outputs_.end(), outputs + row * size, outputs + (row + 1) * size);
    }
  }
}

void KeptPartitions::put_back() {
  const PartialBuffers& partials = kernel_.partials;
  const std::int64_t size = arguments_.shape.cache.head_size;
  const float* output = saved_outputs_.data();
  for (const SavedRow& saved : saved_) {
    partials.exp_sums[saved.row] = saved.exp_sum;
    partials.max_logits[saved.row] = saved.max_logit;
    std::copy_n(output, size, static_cast<float*>(partials.tmp_out) + saved.row * size);
    output += size;
  }
}

std::span<std::byte> KeptPartitions::bytes_of(std::vector<std::byte>& output, std::int64_t row) const {
  const auto bytes = static_cast<std::size_t>(arguments_.shape.cache.head_size) *
                     static_cast<std::size_t>(element_bytes(arguments_.shape.query_type));
  return {output.data() + static_cast<std::size_t>(row) * bytes, bytes};
}

}  // namespace kvarium::host

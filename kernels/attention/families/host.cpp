#include <Kokkos_Core.hpp>
#include <algorithm>
#include <vector>

#include "core/paged_kv_cache.hpp"
#include "kernels/attention/attention_family.hpp"
#include "kernels/attention/host/partition_kernel.hpp"
#include "kernels/attention/host/slice_verifier.hpp"
#include "kernels/attention/partial_buffers.hpp"
#include "kernels/attention/reduce_partitions.hpp"

namespace kvarium {
namespace {

using host::PartitionKernel;
using host::PartitionUnit;
using host::SliceVerifier;
using Scratch = Kokkos::View<std::byte**, Kokkos::LayoutRight, HostMemory>;

/// A partition longer than every sequence would take scratch memory for tokens that nobody has; cut to the longest
/// sequence it still is the only one, and the result is the same bit for bit.
int used_partition_size(const AttentionShape& shape, int partition_size) {
  const std::int64_t block_size = shape.cache.block_size;
  const std::int64_t longest = std::max<std::int64_t>(num_partitions(shape.max_seq_len, block_size), 1) * block_size;
  return static_cast<int>(std::min<std::int64_t>(partition_size, longest));
}

/// Every (sequence, KV head, partition) that holds visible tokens. Heads follow one another, because what is fetched
/// beside a head's rows in `nhd` belongs to its neighbours: 13 % faster with partitions of 512 tokens.
std::vector<PartitionUnit> list_units(const PagedAttentionArguments& arguments, int partition_size) {
  std::vector<PartitionUnit> units;
  for (std::int64_t sequence = 0; sequence < arguments.shape.num_sequences; ++sequence) {
    const PartitionRange range = visible_partitions(arguments, partition_size, sequence);
    for (std::int64_t partition = range.first; partition < range.last; ++partition) {
      for (std::int64_t head = 0; head < arguments.shape.cache.num_kv_heads; ++head) {
        units.push_back({sequence, head, partition});
      }
    }
  }
  return units;
}

/// Phase 1. Units differ in length, so threads take them one by one.
void attend_partitions(const HostExecution& execution, const PartitionKernel& kernel, const SliceVerifier& verifier,
                       const std::vector<PartitionUnit>& units) {
  using Policy = Kokkos::RangePolicy<HostExecution, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<std::int64_t>>;
  const Kokkos::Experimental::UniqueToken<HostExecution> token(execution);
  const Scratch scratch(Kokkos::view_alloc(Kokkos::WithoutInitializing, "kvarium::host_attention::scratch"),
                        static_cast<std::size_t>(token.size()), kernel.scratch_bytes());
  const PartitionUnit* list = units.data();
  Kokkos::parallel_for("kvarium::host_attention::partitions",
                       Policy(execution, 0, static_cast<std::int64_t>(units.size()), Kokkos::ChunkSize(1)),
                       [&, list](std::int64_t index) {
                         const auto id = token.acquire();
                         kernel.run(list[index], &scratch(static_cast<std::size_t>(id), 0));
                         verifier.verify(list[index], kernel.partition_size);
                         token.release(id);
                       });
}

/// Phase 2 over (sequence, query head).
void reduce_all(const HostExecution& execution, const PartitionKernel& kernel) {
  using Policy = Kokkos::RangePolicy<HostExecution, Kokkos::IndexType<std::int64_t>>;
  const PagedAttentionArguments& arguments = *kernel.arguments;
  const std::int64_t heads = arguments.shape.num_heads;
  Kokkos::parallel_for("kvarium::host_attention::reduce", Policy(execution, 0, arguments.shape.num_sequences * heads),
                       [&](std::int64_t row) {
                         PartitionRange range = visible_partitions(arguments, kernel.partition_size, row / heads);
                         range.head = row % heads;
                         reduce_partitions(arguments, kernel.partials, range);
                       });
}

/// All cores through Kokkos, vectorised in float32; a unit of work is (sequence, KV head, partition).
class Host final : public AttentionFamily {
 public:
  AttentionTraits traits() const override {
    AttentionTraits traits{"all cores through Kokkos, vectorised, online softmax in float32", Device::cpu, true, true};
    traits.can_verify = true;
    return traits;
  }

  TuningAxes tuning_axes() const override {
    TuningAxes axes;
    axes.partition_sizes = {256, 512, 2048, 8192};
    axes.block_ns = {32, 64, 128};
    return axes;
  }

  std::optional<std::string> refusal(const AttentionShape&, const AttentionVariant& variant) const override {
    if (variant.block_n < 1) return concatenate("block_n is ", variant.block_n, "; use 1 or more tokens");
    return {};
  }

  void run(const PagedAttentionArguments& arguments, const AttentionVariant& variant) const override {
    const HostExecution execution;
    const int partition_size = used_partition_size(arguments.shape, variant.partition_size);
    const PartialStorage storage(arguments, partition_size);
    const PartitionKernel kernel{&arguments, storage.buffers(), partition_size,
                                 std::min(variant.block_n, partition_size)};
    attend_partitions(execution, kernel, SliceVerifier(arguments, variant), list_units(arguments, partition_size));
    execution.fence();
    reduce_all(execution, kernel);
    execution.fence();
  }
};

}  // namespace

void register_host(Registry<AttentionFamily>& registry) { registry.add("host", std::make_unique<Host>()); }

}  // namespace kvarium

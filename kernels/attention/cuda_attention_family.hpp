#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/attention/attention_family.hpp"
#include "kernels/cuda/architecture.hpp"
#include "kernels/cuda/kernel_source.hpp"
#include "kernels/cuda/launch.hpp"

namespace kvarium {

/// Values of each axis that a CUDA family is compiled and tested over, pair by pair. Combinations it refuses are left
/// out.
struct AttentionAxes {
  std::vector<CacheLayout> layouts{CacheLayout::split_x, CacheLayout::nhd, CacheLayout::hnd, CacheLayout::packed};
  std::vector<ElementType> query_types{ElementType::float16, ElementType::bfloat16};
  std::vector<ElementType> cache_types{ElementType::float16, ElementType::bfloat16, ElementType::float8_e4m3,
                                       ElementType::float8_e5m2};
  std::vector<int> head_sizes{64, 80, 96, 112, 128, 192, 256};
  std::vector<int> block_sizes{16, 32, 64, 128};
  std::vector<int> query_heads_per_kv_head{1, 2, 4, 8, 16};
  std::vector<int> partition_sizes{256, 512, 1024};
  std::vector<int> block_ns{64};
  std::vector<int> stages{2};
  std::vector<int> warps{4};
  std::vector<std::string> combines{"kernel"};
  std::vector<std::string> verifications{"none"};
};

/// An attention family written as a device source. Its kernels can be compiled, and their registers and shared memory
/// known, without a device. A new family says how it is compiled and launched; the frame does the rest: limits, partial
/// buffers, loading, the second kernel.
class CudaAttentionFamily : public AttentionFamily {
 public:
  virtual AttentionAxes axes() const = 0;

  /// The oldest architecture a variant runs on. Default: sm_80; sm_90 for combine "dependent_launch".
  virtual Architecture minimum_architecture(const AttentionVariant& variant) const;

  /// Phase 1 at one setting: one kernel that takes AttentionParameters by value. It is compiled with
  /// `attention_constants` and what the family adds. Precondition: no refusal.
  virtual KernelSource device_source(const AttentionShape& shape, const AttentionVariant& variant) const = 0;

  /// Phase 2 at one setting, compiled and loaded unless partitions are combined by ticket. Default: `reduce_source`.
  virtual KernelSource reduction_source(const AttentionShape& shape, const AttentionVariant& variant) const;

  /// Grid, threads and dynamic shared memory of phase 1. Precondition: no refusal.
  virtual LaunchShape launch_shape(const AttentionShape& shape, const AttentionVariant& variant) const = 0;

  /// Why the design itself cannot run that setting; limits of devices are the frame's matter.
  virtual std::optional<std::string> design_refusal(const AttentionShape& shape,
                                                    const AttentionVariant& variant) const = 0;

  /// `design_refusal`, else the reason why the device profile does not suffice.
  std::optional<std::string> refusal(const AttentionShape& shape, const AttentionVariant& variant) const override;

  /// Default: float32 partial results of every (sequence, head, partition).
  std::size_t workspace_bytes(const AttentionShape& shape, const AttentionVariant& variant) const override;

  /// Default: phase 1, then the shared second kernel unless partitions are combined by ticket. Partial results go to
  /// `arguments.partials`, or to the workspace where there are none. Errors: InputError for a workspace that is too
  /// small, NotConfigured, DriverError.
  void run(const PagedAttentionArguments& arguments, const AttentionVariant& variant) const override;
};

/// The CUDA family called `name`, or nullptr for host families and unknown names.
const CudaAttentionFamily* find_cuda_attention_family(const std::string& name);

/// Why a thread block cannot have the variant's warps; designs that deal tokens out to warps take powers of two.
std::optional<std::string> warps_refusal(const AttentionVariant& variant);

/// Constants every attention source has: layout, query_type, cache_type, head_size, block_size,
/// query_heads_per_kv_head, partition_size, block_n, stages, warps, combines_by_ticket, launches_dependents, verifies,
/// checksum.
VariantConstants attention_constants(const AttentionShape& shape, const AttentionVariant& variant);

/// Threads of a thread block of the second kernel; its grid is num_sequences * num_heads.
inline constexpr unsigned int reduce_threads = 128;

/// Phase 2 as all families share it: merges any number of partitions by log-sum-exp.
KernelSource reduce_source(const AttentionShape& shape, const AttentionVariant& variant);

}  // namespace kvarium

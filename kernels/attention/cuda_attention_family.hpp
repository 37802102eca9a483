#pragma once

#include <string>
#include <vector>

#include "kernels/attention/attention_family.hpp"
#include "kernels/cuda/architecture.hpp"
#include "kernels/cuda/kernel_source.hpp"

namespace kvarium {

/// Values of each axis that a CUDA family is compiled and tested over, pair by pair. Combinations it refuses are left out.
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
};

/// An attention family written as a device source. Its kernels can be compiled, and their registers and shared memory
/// known, without a device.
class CudaAttentionFamily : public AttentionFamily {
 public:
  virtual AttentionAxes axes() const = 0;

  /// The oldest architecture a variant runs on. Default: sm_80; sm_90 for combine "dependent_launch".
  virtual Architecture minimum_architecture(const AttentionVariant& variant) const;

  /// Phase 1 at one setting. Precondition: no refusal.
  virtual KernelSource device_source(const AttentionShape& shape, const AttentionVariant& variant) const = 0;

  /// Default: buffers of float32 partial results for every (sequence, head, partition).
  std::size_t workspace_bytes(const AttentionShape& shape, const AttentionVariant& variant) const override;
};

/// The CUDA family called `name`, or nullptr for host families and unknown names.
const CudaAttentionFamily* find_cuda_attention_family(const std::string& name);

/// Constants every attention source has: layout, query_type, cache_type, head_size, block_size,
/// query_heads_per_kv_head, partition_size, block_n, stages, warps, combines_by_ticket, launches_dependents.
VariantConstants attention_constants(const AttentionShape& shape, const AttentionVariant& variant);

}  // namespace kvarium

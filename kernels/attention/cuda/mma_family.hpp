#pragma once

#include <memory>

#include "kernels/attention/cuda/mma_plan.hpp"
#include "kernels/attention/cuda/range_schedule.hpp"
#include "kernels/attention/cuda_attention_family.hpp"

namespace kvarium {

/// A design on tensor cores that shares the operands of register_mma_tiles.cuh: each warp attends a partition, or with
/// partition_size 0 a range, of one KV head for up to 16 query heads. A design says how it plans a multiprocessor and
/// what its device sources are called.
class MmaFamily : public CudaAttentionFamily {
 public:
  /// `source`: name of the device sources, NAME.cuh and NAME_persistent.cuh. `other_form`: for arrays that this form
  /// does not take; without it this form takes arrays at any address.
  MmaFamily(std::string source, std::unique_ptr<MmaFamily> other_form)
      : source_(std::move(source)), other_form_(std::move(other_form)) {}

  AttentionAxes axes() const override;
  TuningAxes tuning_axes() const override;
  std::optional<std::string> design_refusal(const AttentionShape& shape,
                                            const AttentionVariant& variant) const override;
  std::size_t shared_memory_bytes(const AttentionShape& shape, const AttentionVariant& variant) const override;
  KernelSource device_source(const AttentionShape& shape, const AttentionVariant& variant) const override;
  KernelSource reduction_source(const AttentionShape& shape, const AttentionVariant& variant) const override;
  std::size_t workspace_bytes(const AttentionShape& shape, const AttentionVariant& variant) const override;
  LaunchShape launch_shape(const AttentionShape& shape, const AttentionVariant& variant) const override;
  void run(const PagedAttentionArguments& arguments, const AttentionVariant& variant) const override;

 protected:
  /// Nothing where a step takes more registers than there are. Called for shapes and settings that are not refused.
  virtual std::optional<MmaPlan> plan(const AttentionShape& shape, const AttentionVariant& variant) const = 0;

  /// Why a setting is not for this design, beyond what all of them refuse.
  virtual std::optional<std::string> stages_refusal(const AttentionVariant&) const { return std::nullopt; }

  /// Warps of a thread block that attend nothing but serve the others.
  virtual int serving_warps(const AttentionShape&, const AttentionVariant&) const { return 0; }

  /// Whether this form takes these arrays; else the other does. Default: all pieces of 16 bytes lie at multiples of 16.
  virtual bool takes(const PagedAttentionArguments& arguments) const;

  bool takes_any_address() const { return other_form_ == nullptr; }

 private:
  RangeSchedule schedule_of(const AttentionShape& shape, const AttentionVariant& variant) const;
  std::int64_t num_thread_blocks(const AttentionShape& shape, const AttentionVariant& variant) const;
  void run_persistent(const PagedAttentionArguments& arguments, const AttentionVariant& variant) const;

  std::string source_;
  std::unique_ptr<MmaFamily> other_form_;
};

/// Whether every 16-byte piece of cache, query and output lies at a multiple of 16 bytes.
bool has_aligned_pieces(const PagedAttentionArguments& arguments);

}  // namespace kvarium

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/registry.hpp"
#include "kernels/attention/attention_arguments.hpp"
#include "kernels/attention/tuning_axes.hpp"

namespace kvarium {

/// Where a family runs.
enum class Device : std::uint8_t { cpu, cuda };

/// "cpu" or "cuda".
std::string to_string(Device device);

/// The name that leaves the family, and every axis at its default, to `choose_variant` (variant_choice.hpp).
inline constexpr std::string_view auto_family = "auto";

/// A family at one setting of its axes. Host families ignore device_profile, stages, warps and combine.
struct AttentionVariant {
  std::string family = "host";
  int partition_size = 512;  ///< tokens of one partition; 0: persistent, see AttentionTraits
  int block_n = 64;          ///< tokens of one inner step
  /// Name of the device whose limits a CUDA family must respect.
  std::string device_profile = "native";
  int stages = 2;                  ///< inner steps in flight
  int warps = 4;                   ///< of a thread block
  std::string combine = "kernel";  ///< how partitions are merged; see combine_names()
  /// Checksum that the cache is held against while it is read; see verification_names().
  std::string verification = "none";

  /// Whether the cache is held against its records while it is read.
  bool verifies() const { return verification != "none"; }

  bool operator==(const AttentionVariant&) const = default;
};

/// Ways to merge partitions: "kernel" (a second launch), "dependent_launch" (a second launch that starts before the
/// first has ended) and "ticket" (the last thread block of a sequence merges).
const std::vector<std::string>& combine_names();

/// What a family promises; the contract tests hold it to each point.
struct AttentionTraits {
  std::string description;
  Device device = Device::cpu;
  /// A sequence's result is bit-identical alone or in any batch and for any physical block order.
  bool batch_invariant = true;
  /// Whether block_n changes how the family runs (a sweep over it makes sense).
  bool uses_block_n = true;
  /// Whether partition_size 0 is known: the family cuts the batch into equal shares of its device instead of cutting
  /// sequences into partitions.
  bool has_persistent_schedule = false;
  /// Whether it can verify the cache while it reads it, with the same bits of output.
  bool can_verify = false;
  /// Whether it is what others are compared with, whatever time it takes: no tuner tries it.
  bool is_reference = false;
};

/// One kernel design of decode attention on a paged cache.
class AttentionFamily {
 public:
  virtual ~AttentionFamily() = default;

  /// What the family promises.
  virtual AttentionTraits traits() const = 0;

  /// Whether the promise `batch_invariant` holds at that setting: never where the batch decides how sequences are cut.
  bool is_batch_invariant(const AttentionVariant& variant) const {
    return traits().batch_invariant && variant.partition_size > 0;
  }

  /// Why this family cannot run the shape at that setting, or nothing when it can.
  virtual std::optional<std::string> refusal(const AttentionShape& shape, const AttentionVariant& variant) const = 0;

  /// What a tuner tries; default: the defaults of AttentionVariant alone.
  virtual TuningAxes tuning_axes() const { return {}; }

  /// Bytes of shared memory one thread block takes; 0 for host families.
  virtual std::size_t shared_memory_bytes(const AttentionShape& shape, const AttentionVariant& variant) const;

  /// Bytes `AttentionWorkspace::data` must hold; 0 for host families.
  virtual std::size_t workspace_bytes(const AttentionShape& shape, const AttentionVariant& variant) const;

  /// Computes `out` (and `lse`). Host families return when done, CUDA families when the work is on the stream.
  /// Preconditions: validated arguments, no refusal.
  virtual void run(const PagedAttentionArguments& arguments, const AttentionVariant& variant) const = 0;
};

/// Every attention family of this build, in list order.
const Registry<AttentionFamily>& attention_families();

/// Runs decode attention: checks arguments (InputError), asks the family (InputError with its reason when it
/// refuses), runs it. Block tables and lengths on a device are not checked: nothing waits for the device. Relative L2
/// error per (sequence, head) against float64: 1e-5 float32, 2e-3 float16, 1e-2 bfloat16. Family `auto` is resolved
/// anew at each call, for a GPU where the arguments have a workspace or a stream; a caller in a hurry resolves it once
/// with `choose_variant`. Source: vLLM's paged_attention_v2, without the 1e-6 in its denominators.
void paged_attention_v2(const PagedAttentionArguments& arguments, const AttentionVariant& variant = {});

}  // namespace kvarium

#pragma once

#include <cstdint>
#include <string>

#include "core/cache_layout.hpp"
#include "core/element_type.hpp"
#include "kernels/attention/attention_family.hpp"
#include "kernels/checksums/checksum_parameters.hpp"
#include "sim/faults/fault_parameters.hpp"
#include "sim/faults/fault_stage.hpp"

namespace kvarium {

/// What the paged KV cache of a point is and where its contents come from.
struct CacheConfig {
  CacheLayout layout = CacheLayout::split_x;
  ElementType element_type = ElementType::float16;
  int head_size = 128;  ///< elements
  int block_size = 16;  ///< tokens
  int num_kv_heads = 8;
  int query_heads_per_kv_head = 4;
  int num_layers = 1;
  /// "synthetic", or the path of a model dump, relative to the folder of the YAML file.
  std::string source = "synthetic";

  bool operator==(const CacheConfig&) const = default;
};

/// The requests decoded together, and the options of their attention.
struct BatchConfig {
  std::int64_t num_sequences = 1;
  std::int64_t context_length = 1024;             ///< tokens of each sequence, or of the longest
  std::int64_t min_context_length = 0;            ///< above 0: lengths are log-uniform from here to context_length
  std::int64_t shared_prefix_length = 0;          ///< tokens all sequences begin with
  double fragmentation = 1.0;                     ///< share of blocks whose physical order is random, 0 to 1
  ElementType query_type = ElementType::float16;  ///< float32, float16 or bfloat16
  std::int64_t sliding_window = 0;                ///< tokens; 0: all
  double softcap = 0.0;                           ///< of logits; 0: off
  bool alibi = false;
  bool sinks = false;

  bool operator==(const BatchConfig&) const = default;
};

/// The checksum that guards the cache.
struct ChecksumConfig {
  std::string family = "none";  ///< "none" or a name of checksum_families()
  int piece_width = 8;          ///< bytes: 1, 2, 4 or 8
  std::int64_t chunk = 0;       ///< pieces one unit of work sums; 0: the family's choice
  ByteOrder byte_order = ByteOrder::cell;
  bool zero_means_absent = false;  ///< whether a recorded value of 0 stands for none
  std::uint64_t seed = 0;          ///< of mixed_sum's keys and of fmix_digest's choice of buffers
  int sampled_buffers = 0;         ///< buffers that fmix_digest reads; 0: all
  int edge_width = 4;              ///< bytes that edge_crc reads at either end of a block's buffer
  CanaryData canary_data = CanaryData::all;

  bool operator==(const ChecksumConfig&) const = default;
};

/// The fault injected in each trial; which keys a model takes, it declares itself.
struct FaultConfig {
  std::string model = "none";  ///< "none" or a name of fault_models()
  FaultStage stage = FaultStage::after_producer_sum;
  /// "none", or a name of fault_presets() that stands for model and settings; see resolved_fault().
  std::string preset = "none";
  FaultParameters parameters;  ///< in files, keys of `fault` itself

  bool operator==(const FaultConfig&) const = default;
};

/// What surrounds the kernel while it is measured.
struct WorkloadConfig {
  std::int64_t working_set_bytes = 0;  ///< bytes read before memory is read again; 0: one copy of the cache
  bool concurrent = false;             ///< decode attention runs beside the checksum, on a second stream

  bool operator==(const WorkloadConfig&) const = default;
};

/// How one engine of a transfer keeps its caches.
struct TransferEngineConfig {
  std::string layout = "as_cache";  ///< that of `cache`, or a name of cache_layout_names()
  int block_size = 0;               ///< tokens; 0: that of `cache`
  int tensor_ranks = 1;             ///< ranks that share out the KV heads
  int pipeline_ranks = 1;           ///< ranks that share out the layers

  bool operator==(const TransferEngineConfig&) const = default;
};

/// The way of a request's cache from the engine that computes it to the one that attends it, and what is wrong with it.
struct TransferConfig {
  std::string defect = "none";          ///< "none" or a name of transfer_defects()
  std::string moment = "before_check";  ///< of the damage, where the defect leaves it open
  std::string path = "direct";          ///< or "host_tier": stored in a tier and loaded from there
  TransferEngineConfig producer;
  TransferEngineConfig consumer;

  bool operator==(const TransferConfig&) const = default;
};

/// Everything that defines what a point computes: the keys of `base`.
struct BaseConfig {
  CacheConfig cache;
  BatchConfig batch;
  AttentionVariant variant;
  ChecksumConfig checksum;
  FaultConfig fault;
  WorkloadConfig workload;
  TransferConfig transfer;

  bool operator==(const BaseConfig&) const = default;
};

}  // namespace kvarium

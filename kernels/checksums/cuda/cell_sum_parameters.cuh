#pragma once

namespace kvarium {

/// Layers that one launch takes; more need several launches.
constexpr int layers_per_launch = 64;

/// One layer's cache in device memory.
struct SummedLayer {
  const void* key;
  const void* value;
  long long first_head;  ///< layer * 65536 + global number of its first head
};

/// Where an element of K or V lies, in elements; see core's CacheStrides.
struct SummedStrides {
  long long block, kv_head, token, group;
};

/// Arguments of the device's checksums over cells; trivially copyable, read by the host's compiler and by the device's.
struct CellSumParameters {
  SummedLayer layers[layers_per_launch];
  int num_layers;   ///< of this launch
  int first_layer;  ///< how many layers of the call other launches took before
  int all_layers;   ///< of the call
  SummedStrides key;
  SummedStrides value;
  long long num_blocks;
  const long long* block_ids;     ///< [num_rows]
  const long long* first_tokens;  ///< [num_rows]
  const long long* valid_tokens;  ///< [num_rows]
  long long num_rows;
  unsigned long long* out;        ///< [num_rows]
  unsigned long long* workspace;  ///< the checksum's own, where it needs some
  int first_sampled;              ///< first buffer that fmix_digest reads, and how many evenly spaced ones
  int num_sampled;
};

}  // namespace kvarium

#pragma once

namespace kvarium {

/// Layers that come with the launch itself; more of them lie in device memory or need several launches.
constexpr int most_given_layers = 64;

/// A layer as core's users write it: ChecksumLayer.
struct SummedView {
  long long address;
  long long first_head;
  long long column;
};

/// Arguments of the device's layers_checksum; trivially copyable, read by the host's compiler and by the device's. All
/// pointers are device memory.
struct PieceSumParameters {
  const SummedView* layers;  ///< [num_layers]; null: `given_layers`
  SummedView given_layers[most_given_layers];
  const long long* block_ids;     ///< [num_rows]
  const long long* first_tokens;  ///< [num_rows]
  const long long* valid_tokens;  ///< [num_rows]
  long long num_rows;
  unsigned long long* out;
  long long out_stride;  ///< elements between two rows
  long long num_columns;
  long long num_blocks;
  long long block_stride;  ///< pieces
};

}  // namespace kvarium

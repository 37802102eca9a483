#pragma once

namespace kvarium {

/// Arguments of the device's layers_checksum; trivially copyable, read by the host's compiler and by the device's. All
/// pointers are device memory.
struct PieceSumParameters {
  const long long* layers;  ///< [num_layers, 3]: address of the view, first head, column
  long long num_layers;
  const long long* block_ids;     ///< [num_rows]
  const long long* first_tokens;  ///< [num_rows]
  const long long* valid_tokens;  ///< [num_rows]
  long long num_rows;
  unsigned long long* out;
  long long out_stride;  ///< elements between two rows
  long long num_columns;
  long long num_blocks;

  // Strides in pieces.
  long long block_stride;
  long long kernel_block_stride;
  long long head_stride;
  long long token_stride;
  long long piece_stride;
};

}  // namespace kvarium

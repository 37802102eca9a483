#pragma once

namespace kvarium {

/// Cells on one side of a copy: a paged cache, or dense rows [num_rows, num_kv_heads, head_size]. Strides in elements.
struct CellSide {
  void* key;
  void* value;
  long long key_block, key_head, key_token, key_group;
  long long value_block, value_head, value_token, value_group;
  /// Device memory: row r is cell `ids[r / tokens_per_id * id_stride] * tokens_per_id + r % tokens_per_id`; null: cell
  /// r.
  const long long* ids;
  int id_stride;
  int tokens_per_id;
  long long num_cells;  ///< cells from here on, and negative ones, are left out
};

/// Arguments of the copy of cells; trivially copyable, read by the host's compiler and by the device's.
struct CopyParameters {
  CellSide source;
  CellSide destination;
  long long num_rows;
  int num_kv_heads;
  float key_scale;  ///< a stored element is the new one divided by this; 1 unless the destination is fp8
  float value_scale;
};

}  // namespace kvarium

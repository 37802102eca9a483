#pragma once

#include "kernels/checksums/cuda/cell_units.cuh"
#include "kernels/cuda/device/types.cuh"
#include "kernels/cuda/device/warp.cuh"
#include "variant.cuh"

// Hands every valid element of a row to a checksum's rule, in any order: a warp walks a chunk of K or V of one (layer,
// row). A rule has `add(place, bits)` for one element and `flush(parameters, row)` for the whole warp at the end.

namespace kvarium {

constexpr int walk_threads = 128;
constexpr int walk_warps = walk_threads / warp_size;
constexpr int units_per_walk = larger(variant::chunk * variant::piece_width / unit_bytes, 1);
constexpr int walks_per_tensor = (units_per_tensor + units_per_walk - 1) / units_per_walk;

constexpr int cell_size = 2 * half_cell_bytes;

/// One element: where it is, and where its cell stands among the valid cells of the call. In the order of memory cells
/// are stretches of as many bytes of whole blocks, the K of all layers before the V.
struct ElementPlace {
  int head, token;
  int byte;    ///< of the cell
  int64 cell;  ///< by layer, head and token
};

/// What a warp walks.
struct WalkedRow {
  CellRow cells;
  int64 row;    ///< of the call's rows
  int64 layer;  ///< of the call's layers
};

/// As row_of; in the order of memory a block counts as a whole, whatever is valid of it.
inline CellRow walked_row_of(const CellSumParameters& parameters, int64 layer, int64 row) {
  CellRow cells = row_of(parameters, layer, row);
  if constexpr (variant::in_memory_order) {
    const int64 block = parameters.block_ids[row];
    cells.valid_tokens = block >= 0 && block < parameters.num_blocks ? variant::block_size : 0;
  }
  return cells;
}

/// Bytes of the call before unit `index` of a layer's K or V, in the order of memory: units are numbered in it.
template <bool is_value>
int64 bytes_before_unit(const CellSumParameters& parameters, int64 layer, int index) {
  constexpr int64 tensor_bytes = int64{units_per_tensor} * unit_bytes;
  if constexpr (variant::layout == CacheLayout::packed) {
    const int64 line = index / units_per_half_cell;
    return layer * 2 * tensor_bytes + (2 * line + (is_value ? 1 : 0)) * half_cell_bytes +
           index % units_per_half_cell * unit_bytes;
  }
  return ((is_value ? parameters.all_layers : 0) + layer) * tensor_bytes + int64{index} * unit_bytes;
}

template <bool is_value, class Rule>
void add_unit(const CellSumParameters& parameters, const WalkedRow& row, int index, const UnitBytes& bytes,
              Rule& rule) {
  const UnitPlace unit = place_of<is_value>(index);
  constexpr int elements = unit_bytes / element_size;
  constexpr uint32 mask = ~uint32{0} >> (32 - 8 * element_size);
#pragma unroll
  for (int i = 0; i < elements; ++i) {
    const bool is_next_token = is_value && values_run_over_tokens;
    ElementPlace place;
    place.head = unit.head;
    place.token = unit.token + (is_next_token ? i : 0);
    place.byte = (is_value ? half_cell_bytes : 0) + unit.byte + (is_next_token ? 0 : i * element_size);
    place.cell = (row.layer * variant::num_kv_heads + place.head) * row.cells.valid_tokens + place.token;
    if constexpr (variant::in_memory_order) {
      const int64 before = bytes_before_unit<is_value>(parameters, row.layer, index) + i * element_size;
      place.cell = before / cell_size;
      place.byte = static_cast<int>(before % cell_size);
    }
    const uint32 word = bytes.words[i * element_size / 4] >> (8 * (i * element_size % 4));
    if (place.token < row.cells.valid_tokens) rule.add(place, word & mask);
  }
}

template <bool is_value, class Rule>
void walk_tensor(const CellSumParameters& parameters, const WalkedRow& row, int walk, Rule& rule) {
  const int end = smaller((walk + 1) * units_per_walk, units_per_tensor);
  for (int index = walk * units_per_walk + threadIdx.x % warp_size; index < end; index += warp_size) {
    const UnitPlace unit = place_of<is_value>(index);
    if (unit.token >= row.cells.valid_tokens) continue;
    add_unit<is_value>(parameters, row, index, load_unit(address_of<is_value>(parameters, row.cells, unit)), rule);
  }
}

/// The whole of a walking kernel.
template <class Rule>
void walk_cells(const CellSumParameters& parameters) {
  const int64 work = int64{blockIdx.x} * walk_warps + threadIdx.x / warp_size;
  const int64 layer_row = work / (2 * walks_per_tensor);
  const int64 layer = layer_row / parameters.num_rows;
  if (layer >= parameters.num_layers) return;
  const int64 row_index = layer_row % parameters.num_rows;
  const WalkedRow row{walked_row_of(parameters, layer, row_index), row_index, parameters.first_layer + layer};
  if (row.cells.valid_tokens <= 0) return;
  const int walk = static_cast<int>(work % (2 * walks_per_tensor));
  Rule rule(parameters, row);
  if (walk < walks_per_tensor) {
    walk_tensor<false>(parameters, row, walk, rule);
  } else {
    walk_tensor<true>(parameters, row, walk - walks_per_tensor, rule);
  }
  __syncwarp();
  rule.flush(parameters, row);
}

/// The whole of a finishing kernel: `finish(parameters, row, valid_tokens)` for every row, by one thread each.
template <class Finish>
void finish_rows(const CellSumParameters& parameters, Finish finish) {
  const int64 row = int64{blockIdx.x} * walk_threads + threadIdx.x;
  if (row < parameters.num_rows)
    finish(parameters, row, larger(walked_row_of(parameters, 0, row).valid_tokens, int64{0}));
}

/// Bytes of all valid cells of a row over all layers of the call.
inline int64 row_bytes(const CellSumParameters& parameters, int64 valid_tokens) {
  return int64{parameters.all_layers} * variant::num_kv_heads * valid_tokens * cell_size;
}

inline uint64 add_over_warp(uint64 value) {
  for (int distance = warp_size / 2; distance > 0; distance /= 2) value += __shfl_xor_sync(whole_warp, value, distance);
  return value;
}

inline uint64 fold_over_warp(uint64 value) {
  for (int distance = warp_size / 2; distance > 0; distance /= 2) value ^= __shfl_xor_sync(whole_warp, value, distance);
  return value;
}

inline bool is_first_lane() { return threadIdx.x % warp_size == 0; }

}  // namespace kvarium

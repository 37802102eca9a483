#pragma once

#include "kernels/checksums/cuda/cell_rows.cuh"
#include "kernels/cuda/device/element.cuh"

namespace kvarium {

/// A unit is what one lane loads at once: 16 bytes, or one element where the cache does not allow that.
constexpr int unit_bytes = variant::is_vectorised ? 16 : element_size;
constexpr int units_per_half_cell = half_cell_bytes / unit_bytes;
constexpr int units_per_tensor = variant::num_kv_heads * variant::block_size * units_per_half_cell;
constexpr bool is_split = variant::layout == CacheLayout::split_x;
/// Whether a unit of V holds one element of several tokens instead of several elements of one.
constexpr bool values_run_over_tokens = is_split && variant::is_vectorised;
constexpr int tokens_per_value_unit = values_run_over_tokens ? 16 / element_size : 1;

/// Where a unit begins: head, token, and byte within the half cell.
struct UnitPlace {
  int head, token, byte;
};

/// Neighbouring numbers lie side by side in memory, whatever the layout.
template <bool is_value>
UnitPlace place_of(int index) {
  if constexpr (is_split && is_value) {
    constexpr int per_element = variant::block_size / tokens_per_value_unit;
    return {index / per_element / variant::head_size, index % per_element * tokens_per_value_unit,
            index / per_element % variant::head_size * element_size};
  } else if constexpr (is_split) {
    constexpr int per_group = 16 / unit_bytes;
    constexpr int groups = half_cell_bytes / 16;
    const int group = index / per_group / variant::block_size;
    return {group / groups, index / per_group % variant::block_size,
            group % groups * 16 + index % per_group * unit_bytes};
  } else {
    constexpr bool is_token_major = variant::layout == CacheLayout::nhd;
    const int line = index / units_per_half_cell;
    return {is_token_major ? line % variant::num_kv_heads : line / variant::block_size,
            is_token_major ? line / variant::num_kv_heads : line % variant::block_size,
            index % units_per_half_cell * unit_bytes};
  }
}

template <bool is_value>
const uint8* address_of(const CellSumParameters& parameters, const CellRow& row, const UnitPlace& place) {
  constexpr int group_size = !is_split ? variant::head_size : is_value ? 1 : split_group_size(variant::cache_type);
  const SummedStrides& strides = is_value ? parameters.value : parameters.key;
  const int element = place.byte / element_size;
  const int64 offset = place.head * strides.kv_head + place.token * strides.token +
                       element / group_size * strides.group + element % group_size;
  return (is_value ? row.value : row.key) + offset * element_size;
}

/// Bytes of one unit as they were loaded.
using UnitBytes = PieceVector;

inline UnitBytes load_unit(const uint8* address) {
  if constexpr (variant::is_vectorised) return load_vector(address);
  return {load_bits<variant::cache_type>(address), 0, 0, 0};
}

/// What a unit adds to its row.
template <bool is_value>
uint64 unit_sum(const CellRow& row, const UnitBytes& unit, const UnitPlace& place) {
  const int byte = (is_value ? half_cell_bytes : 0) + place.byte;
  uint64 sum;
  if constexpr (!variant::is_vectorised) {
    sum = element_of_cell(row, unit.words[0], place.token, byte);
  } else if constexpr (is_value && values_run_over_tokens) {
    sum = tokens_of_cell(row, unit, place.token, byte);
  } else {
    sum = bytes_of_cell(row, unit, place.token, byte);
  }
  return head_weight(row, place.head) * sum;
}

}  // namespace kvarium

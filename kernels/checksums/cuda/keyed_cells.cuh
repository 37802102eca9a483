#pragma once

#include "kernels/checksums/cuda/cell_units.cuh"
#include "kernels/checksums/cuda/mixed_pieces.cuh"
#include "kernels/checksums/cuda/sum_units.cuh"
#include "kernels/cuda/device/warp.cuh"

// What checksums with a key for each cell share: a warp takes a chunk of K or V of one (layer, row), of both where
// cells lie in one piece, and keeps the keys of the chunk's cells in shared memory.

namespace kvarium {

constexpr int num_threads = 128;
constexpr int warps_per_block = num_threads / warp_size;

constexpr bool takes_whole_cells = variant::layout == CacheLayout::packed && variant::is_vectorised;
constexpr int units_per_line = (takes_whole_cells ? 2 : 1) * units_per_half_cell;
constexpr int units_per_walk = (takes_whole_cells ? 2 : 1) * units_per_tensor;
constexpr int units_per_chunk = smaller(larger(variant::chunk * variant::piece_width / unit_bytes, 1), units_per_walk);
constexpr int chunks_per_walk = (units_per_walk + units_per_chunk - 1) / units_per_chunk;
constexpr int chunks_per_row = (takes_whole_cells ? 1 : 2) * chunks_per_walk;

/// Head and token of a unit's first byte, and that byte of the cell.
template <bool is_value>
UnitPlace cell_place_of(int index) {
  if constexpr (takes_whole_cells) {
    const int line = index / units_per_line;
    return {line / variant::block_size, line % variant::block_size, index % units_per_line * unit_bytes};
  } else {
    UnitPlace place = place_of<is_value>(index);
    if (is_value) place.byte += half_cell_bytes;
    return place;
  }
}

template <bool is_value>
const uint8* cell_address_of(const CellSumParameters& parameters, const CellRow& row, int index) {
  if constexpr (takes_whole_cells) {
    const UnitPlace place = cell_place_of<is_value>(index);
    const int64 offset = place.head * parameters.key.kv_head + place.token * parameters.key.token;
    return row.key + offset * element_size + place.byte;
  } else {
    return address_of<is_value>(parameters, row, place_of<is_value>(index));
  }
}

/// Number of a cell: in the order of memory where a cell's units lie side by side, else head by head.
constexpr int cell_number(int head, int token) {
  return variant::layout == CacheLayout::nhd ? token * variant::num_kv_heads + head
                                             : head * variant::block_size + token;
}

constexpr int units_per_head = variant::block_size * units_per_half_cell;
constexpr int cells_of_units(int units, int per_cell) {
  return units % per_cell == 0 ? units / per_cell : units / per_cell + 2;
}
constexpr int heads_per_chunk =
    units_per_head % units_per_chunk == 0 ? 1 : cells_of_units(units_per_chunk, units_per_head);
constexpr int cells_per_chunk =
    is_split ? heads_per_chunk * variant::block_size : cells_of_units(units_per_chunk, units_per_line);
/// More keys than that are not kept but made where they are used.
constexpr bool keeps_keys = cells_per_chunk <= 512;

inline MixedCellKey key_of(const CellRow& row, uint64 seed_key, int head, int token) {
  const uint64 head_key = mixed_head_key(seed_key, static_cast<uint64>(row.first_head + head));
  return mixed_cell_key(head_key, static_cast<uint64>(row.first_token + token));
}

/// Keys of the cells that a warp's chunk touches.
class ChunkKeys {
 public:
  /// Fills this warp's keys. The whole warp calls it.
  ChunkKeys(const CellRow& row, uint64 seed_key, int chunk) : row_(row), seed_key_(seed_key) {
    if constexpr (keeps_keys) {
      __shared__ MixedCellKey keys[warps_per_block][cells_per_chunk];
      const int unit = chunk * units_per_chunk;
      first_cell_ = is_split ? unit / units_per_head * variant::block_size : unit / units_per_line;
      keys_ = keys[threadIdx.x / warp_size];
      for (int i = threadIdx.x % warp_size; i < cells_per_chunk; i += warp_size)
        keys_[i] = key_of_cell(first_cell_ + i);
      __syncwarp();
    }
  }

  MixedCellKey of(int head, int token) const {
    if constexpr (keeps_keys) return keys_[smaller(cell_number(head, token) - first_cell_, cells_per_chunk - 1)];
    return key_of(row_, seed_key_, head, token);
  }

 private:
  MixedCellKey key_of_cell(int cell) const {
    constexpr bool is_token_major = variant::layout == CacheLayout::nhd;
    constexpr int per_outer = is_token_major ? variant::num_kv_heads : variant::block_size;
    const int outer = cell / per_outer, inner = cell % per_outer;
    return key_of(row_, seed_key_, is_token_major ? inner : outer, is_token_major ? outer : inner);
  }

  const CellRow& row_;
  uint64 seed_key_;
  MixedCellKey* keys_ = nullptr;
  int first_cell_ = 0;
};

/// Share of mixed_sum of one unit that begins at `place` of its cell.
template <bool is_value>
uint64 mixed_unit_share(const ChunkKeys& keys, const CellRow& row, const UnitPlace& place, const UnitBytes& unit) {
  if constexpr (!variant::is_vectorised) {
    return mixed_share_of_bits(keys.of(place.head, place.token), place.byte, unit.words[0]);
  } else if constexpr (is_value && values_run_over_tokens) {
    UnitBytes valid = unit;
    cut(valid, static_cast<int>(smaller((row.valid_tokens - place.token) * element_size, int64{16})));
    uint64 sum = 0;
#pragma unroll
    for (int i = 0; i < tokens_per_value_unit; ++i) {
      constexpr uint32 mask = ~uint32{0} >> (32 - 8 * element_size);
      const uint32 bits = valid.words[i * element_size / 4] >> (8 * (i * element_size % 4)) & mask;
      sum += mixed_share_of_bits(keys.of(place.head, place.token + i), place.byte, bits);
    }
    return sum;
  } else {
    return mixed_share(keys.of(place.head, place.token), static_cast<uint32>(place.byte) / 4, unit);
  }
}

/// Which (row, chunk) a warp takes; more than there are where the last thread block has warps to spare.
struct KeyedWork {
  int64 row;
  int chunk;  ///< of K or V, or of whole cells
  bool is_value;

  static KeyedWork of_this_warp() {
    const int64 work = int64{blockIdx.x} * warps_per_block + threadIdx.x / warp_size;
    const int chunk = static_cast<int>(work % chunks_per_row);
    return {work / chunks_per_row, chunk % chunks_per_walk, chunk >= chunks_per_walk};
  }
};

}  // namespace kvarium

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
constexpr bool is_token_major = variant::layout == CacheLayout::nhd;
/// Whether the units that a lane takes, 32 apart, lie at one place of their lines.
constexpr bool lanes_keep_their_place = !is_split && warp_size % units_per_line == 0;
constexpr int chunks_per_row = (takes_whole_cells ? 1 : 2) * chunks_per_walk;

/// Unsigned and of 32 bits where strides allow it: one instruction then makes a product of 64 bits.
using Stride = Selected<variant::has_near_cells, uint32, int64>;
using Distance = Selected<variant::has_near_cells, uint64, int64>;

/// K or V of a row, or whole cells, and where this lane begins in it.
template <bool is_value>
struct KeyedTensor {
  const uint8* data;  ///< of the block
  const CellSumParameters& parameters;
  const CellRow& row;
  int first_byte;                    ///< of the cell
  Stride head_stride, token_stride;  ///< bytes; not of split_x
  int first_unit;                    ///< of this lane

  KeyedTensor(const CellSumParameters& launch, const CellRow& cells, bool takes_values, int chunk)
      : data(takes_values ? cells.value : cells.key),
        parameters(launch),
        row(cells),
        first_byte(takes_values ? half_cell_bytes : 0),
        head_stride(static_cast<Stride>((takes_values ? launch.value : launch.key).kv_head) * element_size),
        token_stride(static_cast<Stride>((takes_values ? launch.value : launch.key).token) * element_size),
        first_unit(chunk * units_per_chunk + threadIdx.x % warp_size) {}

  /// Number of the line that holds a unit, and the unit's byte in it. Lanes that stay at one place of their lines as
  /// they go from unit to unit know the way ahead.
  int line_of(int unit) const {
    if constexpr (lanes_keep_their_place) {
      return static_cast<int>(static_cast<uint32>(first_unit) / units_per_line +
                              static_cast<uint32>(unit - first_unit) / units_per_line);
    }
    return static_cast<int>(static_cast<uint32>(unit) / units_per_line);
  }
  int byte_of(int unit) const {
    const int place = lanes_keep_their_place ? first_unit : unit;
    return static_cast<int>(static_cast<uint32>(place) % units_per_line) * unit_bytes;
  }

  /// Head and token of a unit's first byte, and that byte of the cell.
  UnitPlace place_of_unit(int unit) const {
    if constexpr (is_split) {
      UnitPlace place = place_of<is_value>(unit);
      place.byte += first_byte;
      return place;
    }
    const auto line = static_cast<uint32>(line_of(unit));
    constexpr uint32 per_outer = is_token_major ? variant::num_kv_heads : variant::block_size;
    const int outer = static_cast<int>(line / per_outer), inner = static_cast<int>(line % per_outer);
    return {is_token_major ? inner : outer, is_token_major ? outer : inner, first_byte + byte_of(unit)};
  }

  const uint8* address(int unit) const {
    if constexpr (is_split) return address_of<is_value>(parameters, row, place_of<is_value>(unit));
    const UnitPlace place = place_of_unit(unit);
    const uint8* const lane = data + byte_of(unit);
    return lane + static_cast<Distance>(place.head) * head_stride + static_cast<Distance>(place.token) * token_stride;
  }
};

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
/// How a warp walks its units.
constexpr Batches keyed_batches{.units_per_lane = 2, .unrolled = 8};
/// Whether all chunks are whole numbers of batches, and rows of chunks.
constexpr bool has_even_chunks =
    units_per_walk % units_per_chunk == 0 &&
    units_per_chunk %
            (warp_size * keyed_batches.units_per_lane *
             smaller(keyed_batches.unrolled, (units_per_chunk + warp_size * keyed_batches.units_per_lane - 1) /
                                                 (warp_size * keyed_batches.units_per_lane))) ==
        0;
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

  /// `cell`: cell_number(head, token).
  MixedCellKey of(int cell) const {
    if constexpr (!keeps_keys) return key_of_cell(cell);
    // Units past the chunk's end have no key but must not read behind the last one.
    return keys_[has_even_chunks ? cell - first_cell_ : smaller(cell - first_cell_, cells_per_chunk - 1)];
  }

 private:
  MixedCellKey key_of_cell(int cell) const {
    constexpr int per_outer = is_token_major ? variant::num_kv_heads : variant::block_size;
    const int outer = cell / per_outer, inner = cell % per_outer;
    return key_of(row_, seed_key_, is_token_major ? inner : outer, is_token_major ? outer : inner);
  }

  const CellRow& row_;
  uint64 seed_key_;
  MixedCellKey* keys_ = nullptr;
  int first_cell_ = 0;
};

/// Bits of element `index` of a unit.
inline uint32 element_of(const UnitBytes& unit, int index) {
  constexpr uint32 mask = ~uint32{0} >> (32 - 8 * element_size);
  return unit.words[index * element_size / 4] >> (8 * (index * element_size % 4)) & mask;
}

/// Zeros the tokens of a unit that are not valid.
inline void cut_tail(UnitBytes& unit, const CellRow& row, const UnitPlace& place) {
  cut(unit, static_cast<int>(smaller((row.valid_tokens - place.token) * element_size, int64{16})));
}

/// Whether two lanes hold the two halves of the pieces of the same tokens, and can share their keys: units of V in
/// split_x with elements of two bytes, neighbouring elements `lanes_per_element` lanes apart.
constexpr int lanes_per_element = is_split ? variant::block_size / tokens_per_value_unit : warp_size;
constexpr bool lanes_share_pieces =
    values_run_over_tokens && element_size == 2 && has_even_chunks && warp_size % (2 * lanes_per_element) == 0;

/// Adds the pieces of two lanes' units, the first four tokens of them here and the others there.
inline void add_shared_pieces(MixedSums& sums, const ChunkKeys& keys, int cell, int byte, const UnitBytes& unit) {
  const bool is_upper = byte % 4 != 0;
  const int first = is_upper ? 4 : 0;
  // What the other lane needs goes there, what this one needs comes from there.
  const uint32 given[2] = {unit.words[is_upper ? 0 : 2], unit.words[is_upper ? 1 : 3]};
  const uint32 kept[2] = {unit.words[is_upper ? 2 : 0], unit.words[is_upper ? 3 : 1]};
  const uint64 word_step = static_cast<uint32>(byte) / 4 * mixed_step;
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const uint32 taken = __shfl_xor_sync(whole_warp, given[i], lanes_per_element);
    const uint32 lower = is_upper ? taken : kept[i], upper = is_upper ? kept[i] : taken;
    const MixedCellKey even = keys.of(cell + first + 2 * i), odd = keys.of(cell + first + 2 * i + 1);
    sums.add(even, even.origin + word_step, (lower & 0xFFFFU) | upper << 16);
    sums.add(odd, odd.origin + word_step, lower >> 16 | (upper & 0xFFFF0000U));
  }
}

/// Adds one element of several tokens, from byte `byte` of their cells; tokens that are not valid hold zeros.
inline void add_run(MixedSums& sums, const ChunkKeys& keys, int cell, int byte, const UnitBytes& unit) {
  if constexpr (lanes_share_pieces) {
    add_shared_pieces(sums, keys, cell, byte, unit);
  } else {
#pragma unroll
    for (int i = 0; i < tokens_per_value_unit; ++i) add_bits(sums, keys.of(cell + i), byte, element_of(unit, i));
  }
}

/// Share of mixed_sum of unit `index` of a row's tensor; `all`: all its tokens are valid. The whole warp calls it
/// together.
template <bool all, bool is_value>
uint64 mixed_unit_share(const KeyedTensor<is_value>& tensor, const ChunkKeys& keys, int index, UnitBytes unit) {
  const UnitPlace place = tensor.place_of_unit(index);
  const int cell = is_split ? cell_number(place.head, place.token) : tensor.line_of(index);
  MixedSums sums;
  if constexpr (!variant::is_vectorised) {
    add_bits(sums, keys.of(cell), place.byte, unit.words[0]);
  } else if constexpr (is_value && values_run_over_tokens) {
    if (!all) cut_tail(unit, tensor.row, place);
    add_run(sums, keys, cell, place.byte, unit);
  } else {
    add_vector(sums, keys.of(cell), static_cast<uint32>(place.byte) / 4, unit);
  }
  return sums.value();
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

/// What `Sum<is_value, counts_all>::of_chunk(parameters, row, work, arguments...)` gives for a warp's chunk: K and V
/// share their code where they lie alike, and rows whose tokens are all valid have their own.
template <template <bool, bool> class Sum, class... Arguments>
uint64 sum_keyed_chunk(const CellSumParameters& parameters, const CellRow& row, const KeyedWork& work,
                       Arguments&&... arguments) {
  const bool is_full = has_even_chunks && row.valid_tokens == variant::block_size;
  if (is_split && work.is_value) {
    return is_full ? Sum<true, has_even_chunks>::of_chunk(parameters, row, work, arguments...)
                   : Sum<true, false>::of_chunk(parameters, row, work, arguments...);
  }
  return is_full ? Sum<false, has_even_chunks>::of_chunk(parameters, row, work, arguments...)
                 : Sum<false, false>::of_chunk(parameters, row, work, arguments...);
}

}  // namespace kvarium

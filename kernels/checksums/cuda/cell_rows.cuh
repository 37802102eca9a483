#pragma once

#include "kernels/checksums/cuda/cell_sum_parameters.cuh"
#include "kernels/checksums/cuda/piece_vector.cuh"
#include "kernels/cuda/device/types.cuh"
#include "variant.cuh"

namespace kvarium {

constexpr int element_size = element_bytes(variant::cache_type);
constexpr int half_cell_bytes = variant::head_size * element_size;
constexpr int pieces_per_cell = 2 * half_cell_bytes / variant::piece_width;

/// One layer and row: what all its cells share.
struct CellRow {
  const uint8* key;    ///< of the block
  const uint8* value;  ///< of the block
  int64 first_head;
  int64 first_token;
  int64 valid_tokens;
};

/// The row; without valid tokens where the block id lies outside the cache.
inline CellRow row_of(const CellSumParameters& parameters, int64 layer, int64 row) {
  const SummedLayer& summed = parameters.layers[layer];
  const int64 block = parameters.block_ids[row];
  const bool is_inside = block >= 0 && block < parameters.num_blocks;
  return {static_cast<const uint8*>(summed.key) + block * parameters.key.block * element_size,
          static_cast<const uint8*>(summed.value) + block * parameters.value.block * element_size, summed.first_head,
          parameters.first_tokens[row],
          is_inside ? smaller(parameters.valid_tokens[row], int64{variant::block_size}) : 0};
}

/// Weight of the piece that holds byte `byte` of a cell, without the head's part.
inline uint64 piece_weight(const CellRow& row, int token, int byte) {
  const uint64 position = static_cast<uint64>(row.first_token + token) * pieces_per_cell;
  return 2 * (position + static_cast<uint64>(byte / variant::piece_width)) + 1;
}

inline uint64 head_weight(const CellRow& row, int head) { return 2 * static_cast<uint64>(row.first_head + head) + 1; }

/// Sixteen neighbouring bytes of one cell, from byte `byte` on.
inline uint64 bytes_of_cell(const CellRow& row, const PieceVector& vector, int token, int byte) {
  const VectorSums sums = sums_of<variant::piece_width>(vector);
  return piece_weight(row, token, byte) * sums.plain + 2 * sums.numbered;
}

/// One element, at byte `byte` of its cell: its share of the piece that holds it, or, where pieces are narrower, its
/// pieces.
inline uint64 element_of_cell(const CellRow& row, uint64 element, int token, int byte) {
  if constexpr (variant::piece_width >= element_size) {
    return (piece_weight(row, token, byte) * element) << (8 * (byte % variant::piece_width));
  } else {
    uint64 sum = 0;
    constexpr uint64 mask = ~uint64{0} >> (64 - 8 * variant::piece_width);
    for (int offset = 0; offset < element_size; offset += variant::piece_width) {
      const uint64 piece = (element >> (8 * offset)) & mask;
      sum += piece_weight(row, token, byte + offset) * piece;
    }
    return sum;
  }
}

/// Zeros what lies past the first `bytes` bytes.
inline void cut(PieceVector& vector, int bytes) {
  for (int word = 0; word < 4; ++word) {
    const int left = bytes - 4 * word;
    if (left <= 0) vector.words[word] = 0;
    if (left > 0 && left < 4) vector.words[word] &= (1U << (8 * left)) - 1;
  }
}

/// The same element of neighbouring tokens from `token` on, as many as 16 bytes hold; tokens that are not valid are
/// cut.
inline uint64 tokens_of_cell(const CellRow& row, PieceVector vector, int token, int byte) {
  cut(vector, static_cast<int>(smaller((row.valid_tokens - token) * element_size, int64{16})));
  if constexpr (variant::piece_width >= element_size) {
    const VectorSums sums = sums_of<element_size>(vector);
    return (piece_weight(row, token, byte) * sums.plain + 2 * pieces_per_cell * sums.numbered)
           << (8 * (byte % variant::piece_width));
  } else {
    constexpr int per_word = 4 / element_size;
    uint64 sum = 0;
    for (int i = 0; i < 4 * per_word; ++i) {
      const uint32 word = vector.words[i / per_word] >> (8 * element_size * (i % per_word));
      constexpr uint32 mask = ~uint32{0} >> (32 - 8 * element_size);
      sum += element_of_cell(row, word & mask, token + i, byte);
    }
    return sum;
  }
}

}  // namespace kvarium

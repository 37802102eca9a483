#include "kernels/checksums/cuda/walk_cells.cuh"

// SGLang's digest: sums of mixed 32-bit words over tiles of 32 tokens of one buffer (the K of all layers, then the V),
// mixed and added. Words are made of elements that may lie apart, so a lane takes a word instead of a unit.

namespace kvarium {

constexpr int words_per_half_cell = half_cell_bytes / 4;
constexpr int words_per_tensor = variant::num_kv_heads * variant::block_size * words_per_half_cell;
constexpr int tokens_per_tile = 32;
constexpr int tiles_per_block = (variant::block_size + tokens_per_tile - 1) / tokens_per_tile;

inline uint32 fmix32(uint32 hash) {
  hash = (hash ^ hash >> 16) * 0x85EBCA6BU;
  hash = (hash ^ hash >> 13) * 0xC2B2AE35U;
  return hash ^ hash >> 16;
}

/// One word of a token's row.
struct WordPlace {
  int head, token, byte;
};

/// Words of a token side by side; in split_x tokens, which lie closer there.
inline WordPlace word_at(int index) {
  if constexpr (is_split) {
    const int line = index / variant::block_size;
    return {line / words_per_half_cell, index % variant::block_size, line % words_per_half_cell * 4};
  }
  const int line = index / words_per_half_cell;
  const int byte = index % words_per_half_cell * 4;
  if constexpr (variant::layout == CacheLayout::nhd) {
    return {line % variant::num_kv_heads, line / variant::num_kv_heads, byte};
  }
  return {line / variant::block_size, line % variant::block_size, byte};
}

template <bool is_value>
uint32 load_word(const CellSumParameters& parameters, const CellRow& row, const WordPlace& place) {
  uint32 word = 0;
#pragma unroll
  for (int byte = 0; byte < 4; byte += element_size) {
    const uint8* address = address_of<is_value>(parameters, row, {place.head, place.token, place.byte + byte});
    word |= uint32{load_bits<variant::cache_type>(address)} << (8 * byte);
  }
  return word;
}

inline uint32 word_hash(uint32 word, uint32 buffer, uint32 position, uint32 index) {
  constexpr uint32 seed = 0x243F6A88U;
  return fmix32(word ^ buffer * 0x9E3779B1U ^ position * 0x85EBCA77U ^ seed ^ index * 0xC2B2AE3DU);
}

inline uint32* tile_sums(const CellSumParameters& parameters, int64 row, int64 buffer) {
  return reinterpret_cast<uint32*>(parameters.workspace) + (row * 2 * parameters.all_layers + buffer) * tiles_per_block;
}

/// A thread block sums one buffer of one row.
template <bool is_value>
void add_buffer(const CellSumParameters& parameters, const CellRow& row, uint32 buffer, uint32* sums) {
  for (int index = threadIdx.x; index < words_per_tensor; index += walk_threads) {
    const WordPlace place = word_at(index);
    if (place.token >= row.valid_tokens) continue;
    const uint32 word_index = static_cast<uint32>(place.head * half_cell_bytes + place.byte) / 4;
    const uint32 position = static_cast<uint32>(row.first_token + place.token);
    const uint32 word = load_word<is_value>(parameters, row, place);
    atomicAdd(sums + place.token / tokens_per_tile, word_hash(word, buffer, position, word_index));
  }
}

/// Buffer number `index` of those that are read, as kernels/checksums/fmix_digest.hpp has them.
inline int sampled_buffer(const CellSumParameters& parameters, int64 index) {
  const int num_buffers = 2 * parameters.all_layers;
  return static_cast<int>((parameters.first_sampled + index * num_buffers / parameters.num_sampled) % num_buffers);
}

inline bool is_sampled(const CellSumParameters& parameters, int64 buffer) {
  const int64 num_buffers = 2 * parameters.all_layers;
  const int64 distance = (buffer - parameters.first_sampled + num_buffers) % num_buffers;
  const int64 index = (distance * parameters.num_sampled + num_buffers - 1) / num_buffers;
  return index < parameters.num_sampled && sampled_buffer(parameters, index) == buffer;
}

/// Mixes and adds the sums of the tiles of all sampled buffers of a row.
inline void finish_digest(const CellSumParameters& parameters, int64 row, int64 valid_tokens) {
  uint64 digest = 0;
  for (int i = 0; i < parameters.num_sampled; ++i) {
    const int buffer = sampled_buffer(parameters, i);
    const uint32* sums = tile_sums(parameters, row, buffer);
    for (int64 tile = 0; tile * tokens_per_tile < valid_tokens; ++tile) {
      digest += fmix32(sums[tile] ^ static_cast<uint32>(buffer)) * 0x9E3779B97F4A7C15ULL;
    }
  }
  parameters.out[row] = digest;
}

}  // namespace kvarium

extern "C" __global__ void __launch_bounds__(kvarium::walk_threads)
    walk(const __grid_constant__ kvarium::CellSumParameters parameters) {
  using namespace kvarium;
  __shared__ uint32 sums[tiles_per_block];
  const bool is_value = blockIdx.x % 2 != 0;
  const int64 layer = blockIdx.x / 2 / parameters.num_rows;
  const int64 row_index = blockIdx.x / 2 % parameters.num_rows;
  const CellRow row = row_of(parameters, layer, row_index);
  for (int tile = threadIdx.x; tile < tiles_per_block; tile += walk_threads) sums[tile] = 0;
  __syncthreads();
  const int64 buffer = parameters.first_layer + layer + (is_value ? parameters.all_layers : 0);
  if (!is_sampled(parameters, buffer)) return;
  if (is_value) {
    add_buffer<true>(parameters, row, static_cast<uint32>(buffer), sums);
  } else {
    add_buffer<false>(parameters, row, static_cast<uint32>(buffer), sums);
  }
  __syncthreads();
  uint32* place = tile_sums(parameters, row_index, buffer);
  for (int tile = threadIdx.x; tile < tiles_per_block; tile += walk_threads) place[tile] = sums[tile];
}

extern "C" __global__ void __launch_bounds__(kvarium::walk_threads)
    finish(const __grid_constant__ kvarium::CellSumParameters parameters) {
  kvarium::finish_rows(parameters, kvarium::finish_digest);
}

#pragma once

#include "kernels/attention/cuda/partition.cuh"
#include "kernels/attention/cuda/verified_slice.cuh"
#include "kernels/cuda/device/piece.cuh"
#include "kernels/cuda/device/warp.cuh"

// Which lane of a warp takes which bytes in the family gqa_packed. A row of a step is what the warp reads in one
// instruction: `tokens_per_row` tokens side by side, the pieces of each dealt out to `lanes_per_token` lanes. A lane
// reads back from shared memory only what it copied there itself, so that no lane waits for another.

namespace kvarium {

constexpr bool value_is_transposed = variant::layout == CacheLayout::split_x;
constexpr int cache_element_bytes = element_bytes(variant::cache_type);

/// Query heads that a thread block attends, and thread blocks that share a KV head's query heads.
constexpr int heads_per_block = variant::heads_per_block;
constexpr int blocks_per_kv_head = (variant::query_heads_per_kv_head + heads_per_block - 1) / heads_per_block;

constexpr int lanes_per_token = variant::lanes_per_token;
constexpr int tokens_per_row = warp_size / lanes_per_token;
constexpr int rows_per_step = variant::block_n / tokens_per_row;
static_assert(variant::block_n % tokens_per_row == 0, "a step is a number of whole rows");

constexpr int piece_bytes = variant::piece_bytes;
constexpr int piece_words = piece_bytes / 4;
constexpr int piece_elements = piece_bytes / cache_element_bytes;
constexpr int num_pieces = variant::head_size / piece_elements;
static_assert(variant::head_size % piece_elements == 0, "a token is a number of whole pieces");
constexpr int pieces_per_lane = (num_pieces + lanes_per_token - 1) / lanes_per_token;
constexpr int elements_per_lane = pieces_per_lane * piece_elements;

/// Rows whose query-key products are held at once, and what they are cut into: batches of a step.
constexpr int rows_per_batch = variant::rows_per_batch;
constexpr int batch_tokens = rows_per_batch * tokens_per_row;
constexpr int batches_per_step = rows_per_step / rows_per_batch;
static_assert(rows_per_step % rows_per_batch == 0, "a step is a number of whole batches");
static_assert(lanes_per_token % rows_per_batch == 0, "each lane keeps the product of one token of a batch");

/// Lanes that keep the product of the same token.
constexpr int lanes_per_product = lanes_per_token / rows_per_batch;

inline int this_lane() { return static_cast<int>(threadIdx.x) % warp_size; }
inline int this_warp() { return static_cast<int>(threadIdx.x) / warp_size; }

/// Number of a lane's piece in its token's K or V.
inline int piece_number(int index) { return this_lane() % lanes_per_token + index * lanes_per_token; }
inline bool has_piece(int index) { return num_pieces % lanes_per_token == 0 || piece_number(index) < num_pieces; }

/// Token of a step that a lane reads in row `row`, and the one whose products it keeps of batch `batch`.
inline int token_of_row(int row) { return row * tokens_per_row + this_lane() / lanes_per_token; }
inline int token_of_product(int batch) {
  return token_of_row(batch * rows_per_batch + this_lane() % lanes_per_token / lanes_per_product);
}

/// What one thread block attends: tokens [first_token, end_token), at least one, of the partition that begins at
/// base_token, for the query heads from first_head on that share a KV head.
struct BlockWork {
  int sequence;
  int kv_head;
  int first_head;
  int num_heads;
  int64 partition;
  int base_token;
  int first_token;
  int end_token;

  /// Steps are counted from the partition's begin; warps take them in turn.
  int first_step() const { return (first_token - base_token) / variant::block_n; }
  int end_step() const { return (end_token - base_token + variant::block_n - 1) / variant::block_n; }

  bool attends(int token) const { return token >= first_token && token < end_token; }
};

}  // namespace kvarium

#pragma once

#include "kernels/attention/cuda/bulk_mma_ring.cuh"

namespace kvarium {

/// Runs of bytes that lie together in memory, of the keys or of the values of one block in a stage.
struct Runs {
  int count;
  int bytes;  ///< of each
  int pitch;  ///< bytes between two in a stage
};

/// Tokens of one block in a stage.
constexpr int block_tokens = smaller(variant::block_size, stage_tokens);

/// Dense cells of packed are copied as one run of keys.
constexpr bool cells_are_whole = cells_are_packed && variant::slabs_are_dense;
constexpr int dense_bytes = block_tokens * row_bytes;
constexpr Runs key_runs = variant::slabs_are_dense ? Runs{1, cells_are_whole ? 2 * dense_bytes : dense_bytes, 0}
                          : value_is_transposed
                              ? Runs{num_key_pieces, variant::block_size * 16, variant::block_size * 16}
                              : Runs{block_tokens, row_bytes, row_pitch};
constexpr int transposed_row_bytes = variant::block_size * cache_element_bytes;
constexpr Runs value_runs = cells_are_whole            ? Runs{0, 0, 0}
                            : variant::slabs_are_dense ? Runs{1, dense_bytes, 0}
                            : value_is_transposed ? Runs{variant::head_size, transposed_row_bytes, transposed_row_bytes}
                                                  : Runs{block_tokens, row_bytes, row_pitch};
constexpr int runs_per_block = key_runs.count + value_runs.count;

/// What one lane copies of one stage after the other, for the warp that it serves.
class RunCopier {
 public:
  RunCopier(const AttentionParameters& parameters, const WarpWork& work)
      : table_(parameters.block_tables + int64{work.sequence} * parameters.max_num_blocks_per_sequence),
        kv_head_(work.kv_head),
        end_token_(work.end_token) {}

  /// Copies this lane's runs of the stage that begins with `first_token`, and arrives at its barrier.
  void copy_stage(const AttentionParameters& parameters, int first_token, char* stage, TransferBarrier& full) const {
    const int tokens = smaller(stage_tokens, end_token_ - first_token);
    const int num_runs = (tokens + block_tokens - 1) / block_tokens * runs_per_block;
    const int helper = static_cast<int>(threadIdx.x) % lanes_per_consumer;
    if constexpr (variant::pieces_are_aligned) {
      int bytes = 0;
      for (int run = helper; run < num_runs; run += lanes_per_consumer) bytes += runs_of(run).bytes;
      full.arrive_expecting(bytes);
    }
    for (int run = helper; run < num_runs; run += lanes_per_consumer) {
      copy_run(parameters, first_token, run, stage, full);
    }
    if constexpr (!variant::pieces_are_aligned) full.arrive();
  }

 private:
  static bool is_key(int run) { return value_runs.count == 0 || run % runs_per_block < key_runs.count; }
  static Runs runs_of(int run) { return is_key(run) ? key_runs : value_runs; }

  void copy_run(const AttentionParameters& parameters, int first_token, int run, char* stage,
                TransferBarrier& full) const {
    const int block = run / runs_per_block;
    const int index = run % runs_per_block - (is_key(run) ? 0 : key_runs.count);
    const TensorStrides& strides = is_key(run) ? parameters.key_strides : parameters.value_strides;
    const int token = first_token + block * block_tokens;
    const int first_slot = value_is_transposed ? 0 : token % variant::block_size;
    const int64 element = table_[token / variant::block_size] * strides.block + kv_head_ * strides.kv_head +
                          first_slot * strides.token + index * (value_is_transposed ? strides.group : strides.token);
    const void* const tensor = is_key(run) ? parameters.key : parameters.value;
    char* const to =
        stage + (is_key(run) ? 0 : first_value_byte) + key_offset(block * block_tokens) + index * runs_of(run).pitch;
    copy(to, static_cast<const char*>(tensor) + element * cache_element_bytes, runs_of(run).bytes, full);
  }

  static void copy(char* to, const char* from, int bytes, TransferBarrier& full) {
    if constexpr (variant::pieces_are_aligned) {
      start_bulk_copy(to, from, bytes, full);
    } else {
      for (int byte = 0; byte < bytes; byte += 16) {
        Piece<4> piece;
        load_cache_piece(piece, from + byte);
        write_piece(to + byte, piece);
      }
    }
  }

  const int* table_;
  int kv_head_;
  int end_token_;
};

/// The attending warp that a lane of a producing warp copies for; there may be none of that number.
inline int served_consumer() {
  return (static_cast<int>(threadIdx.x) - variant::warps * warp_size) / lanes_per_consumer;
}

/// First token of a work's first stage.
inline int first_stage_token(const WarpWork& work) {
  if constexpr (value_is_transposed) return work.first_token / block_tokens * block_tokens;
  return work.first_group() * tile_tokens;
}

/// Fills the ring of the served warp with the stages of its works as they become free. `next(work)` finds the next
/// work, or returns false. Lanes of a warp may serve different warps; none waits for another's.
template <class NextWork>
void fill_ring(const AttentionParameters& parameters, NextWork next) {
  const Ring ring(served_consumer());
  RingPosition position;
  WarpWork work{};
  bool has_work = next(work);
  int token = has_work ? first_stage_token(work) : 0;
  while (__any_sync(whole_warp, has_work)) {
    // In the first pass the phase before the barrier's first one has passed.
    if (!has_work || !ring.control->empty[position.slot].has_passed(position.pass ^ 1)) continue;
    RunCopier(parameters, work)
        .copy_stage(parameters, token, ring.stage(position.slot), ring.control->full[position.slot]);
    position.advance();
    token += stage_tokens;
    if (token < work.end_token) continue;
    has_work = next(work);
    if (has_work) token = first_stage_token(work);
  }
}

}  // namespace kvarium

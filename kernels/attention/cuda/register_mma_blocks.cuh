#pragma once

#include "kernels/attention/cuda/attention_parameters.cuh"
#include "kernels/attention/cuda/register_mma_tiles.cuh"
#include "kernels/cuda/device/warp.cuh"

namespace kvarium {

constexpr int step_alignment = smaller(variant::block_size, variant::block_n);
static_assert(larger(variant::block_size, variant::block_n) % step_alignment == 0, "steps fit blocks");

/// What one warp attends: tokens [first_token, end_token), at least one, of one sequence, for the query heads from
/// first_head on that share a KV head.
struct WarpWork {
  int sequence;
  int kv_head;
  int first_head;
  int num_heads;
  int first_token;
  int end_token;

  /// Groups are the tokens [16 * i, 16 * (i + 1)) of a sequence; a group never leaves its block.
  /// The first one is aligned so that steps lie in blocks, or blocks in steps, and that the first step has a token.
  int first_group() const { return first_token / step_alignment * (step_alignment / tile_tokens); }
  int end_group() const { return (end_token + tile_tokens - 1) / tile_tokens; }
};

/// Where the slots of one group lie, and which of them hold tokens of the work.
struct GroupPlace {
  int64 block;
  int first_slot;  ///< of the group, in its block
  int first;       ///< slots of the group [first, last] hold tokens of the work; behind the group where none does
  int last;

  /// A slot of the block that may be read: the one asked for, else the nearest that holds a token.
  int slot(int in_group) const { return first_slot + larger(smaller(in_group, last), first); }
};

/// Block ids of a warp's work, read 32 groups at a time, one a lane, and 32 groups ahead: who waits for an id cannot
/// yet ask for the keys behind it.
class GroupPlaces {
 public:
  GroupPlaces(const AttentionParameters& parameters, const WarpWork& work)
      : row_(parameters.block_tables + int64{work.sequence} * parameters.max_num_blocks_per_sequence),
        first_token_(work.first_token),
        end_token_(work.end_token),
        end_group_(work.end_group()),
        base_(work.first_group()) {
    ids_ = fetch(base_);
    upcoming_ids_ = fetch(base_ + warp_size);
  }

  /// Makes the groups of the step from `group` on known. Steps are asked for in order, by the whole warp.
  void advance(int group) {
    if (group - base_ < warp_size) return;
    base_ += warp_size;
    ids_ = upcoming_ids_;
    upcoming_ids_ = fetch(base_ + warp_size);
  }

  /// Place of a group of the step, the last group's for groups past the end. Lanes may ask for different groups.
  GroupPlace operator()(int group) const {
    group = smaller(group, end_group_ - 1);
    GroupPlace place;
    place.block = __shfl_sync(whole_warp, ids_, group - base_);
    place.first_slot = group % groups_per_block * tile_tokens;
    place.first = larger(first_token_ - group * tile_tokens, 0);
    place.last = smaller(end_token_ - 1 - group * tile_tokens, tile_tokens - 1);
    return place;
  }

 private:
  static constexpr int groups_per_block = variant::block_size / tile_tokens;
  static_assert(variant::block_size % tile_tokens == 0, "a group lies in one block");
  static_assert(warp_size % tiles_per_step == 0, "the groups of a step are fetched together");

  int fetch(int first_group) const {
    const int group = smaller(first_group + static_cast<int>(threadIdx.x % warp_size), end_group_ - 1);
    return row_[group / groups_per_block];
  }

  const int* row_;
  int first_token_;
  int end_token_;
  int end_group_;
  int base_;
  int ids_;
  int upcoming_ids_;
};

}  // namespace kvarium

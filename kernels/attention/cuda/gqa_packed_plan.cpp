#include "kernels/attention/cuda/gqa_packed_plan.hpp"

#include <algorithm>
#include <bit>

#include "core/rounding.hpp"

namespace kvarium {
namespace {

constexpr int warp_size = 32;

constexpr int power_of_two_from(int value) { return static_cast<int>(std::bit_ceil(static_cast<unsigned int>(value))); }

bool is_transposed(const AttentionShape& shape) { return shape.cache.layout == CacheLayout::split_x; }

/// Pieces of 16 bytes, unless tokens are not a number of them or, of fp8, so many elements for many query heads would
/// not fit the registers.
int piece_bytes_of(const AttentionShape& shape) {
  const int bytes = element_bytes(shape.cache.element_type);
  constexpr int most_heads_of_wide_pieces = 2;
  const bool is_crowded = bytes == 1 && shape.query_heads_per_kv_head() > most_heads_of_wide_pieces;
  return shape.cache.head_size * bytes % 16 != 0 || is_crowded ? 8 : 16;
}

/// As many lanes as a token has pieces. In split_x two neighbouring tokens at least make whole sectors of 32 bytes.
int lanes_per_token_of(const AttentionShape& shape, const AttentionVariant& variant, int piece_bytes) {
  const int pieces = shape.cache.head_size * element_bytes(shape.cache.element_type) / piece_bytes;
  const int most = is_transposed(shape) ? warp_size / 2 : warp_size;
  return std::max(std::min(power_of_two_from(pieces), most), warp_size / variant.block_n);
}

int elements_per_lane(const AttentionShape& shape, const GqaPackedPlan& plan) {
  const int elements = plan.piece_bytes / element_bytes(shape.cache.element_type);
  return divide_up(shape.cache.head_size / elements, plan.lanes_per_token) * elements;
}

/// Weighted sums of values that a lane keeps for each query head.
int output_sums(const AttentionShape& shape, const GqaPackedPlan& plan) {
  return is_transposed(shape) ? divide_up(shape.cache.head_size, warp_size / plan.value_lanes)
                              : elements_per_lane(shape, plan);
}

void set_values(GqaPackedPlan& plan, const AttentionShape& shape, const AttentionVariant& variant) {
  const int bytes = element_bytes(shape.cache.element_type);
  plan.value_piece_bytes = std::min(16, std::min(shape.cache.block_size, variant.block_n) * bytes);
  const int tokens = plan.value_piece_bytes / bytes;
  plan.value_lanes = variant.block_n >= 2 * tokens && shape.cache.block_size >= 2 * tokens ? 2 : 1;
}

/// As many query heads as registers hold queries and sums of, evenly dealt out.
int heads_per_block_of(const AttentionShape& shape, const GqaPackedPlan& plan) {
  constexpr int most_registers = 128, most_heads = 8;
  const int registers_per_head = elements_per_lane(shape, plan) + output_sums(shape, plan);
  const int most = std::clamp(most_registers / registers_per_head, 1, most_heads);
  const int heads = shape.query_heads_per_kv_head();
  return divide_up(heads, divide_up(heads, most));
}

int rows_per_batch_of(const GqaPackedPlan& plan, int rows_per_step) {
  constexpr int most_products = 32;
  const int most = std::max(most_products / plan.heads_per_block, 1);
  return std::min({rows_per_step, plan.lanes_per_token, power_of_two_from(most + 1) / 2});
}

/// The device source's shared memory: rings of keys and values and the step's weights of every warp, or what warps
/// leave behind for their merge; then sums of verified slices.
std::size_t shared_bytes_of(const AttentionShape& shape, const AttentionVariant& variant, const GqaPackedPlan& plan) {
  const int bytes = element_bytes(shape.cache.element_type);
  const int key_lane_bytes =
      variant.block_n * plan.lanes_per_token / warp_size * elements_per_lane(shape, plan) * bytes;
  const int value_lane_bytes =
      is_transposed(shape) ? variant.block_n * bytes / plan.value_lanes * output_sums(shape, plan) : key_lane_bytes;
  constexpr int float_bytes = 4, slice_bytes = 8;
  const int warp_bytes = variant.stages * warp_size * (key_lane_bytes + value_lane_bytes) +
                         plan.heads_per_block * variant.block_n * float_bytes;
  const int result_bytes = plan.heads_per_block * (shape.cache.head_size + 3) * float_bytes;
  const int attend_bytes = variant.warps * std::max(warp_bytes, result_bytes);
  const int slices = variant.verifies() ? variant.partition_size / shape.cache.block_size : 0;
  return static_cast<std::size_t>(divide_up(attend_bytes, 16) * 16) + static_cast<std::size_t>(slices) * slice_bytes;
}

}  // namespace

GqaPackedPlan plan_gqa_packed(const AttentionShape& shape, const AttentionVariant& variant) {
  GqaPackedPlan plan;
  plan.piece_bytes = piece_bytes_of(shape);
  plan.lanes_per_token = lanes_per_token_of(shape, variant, plan.piece_bytes);
  set_values(plan, shape, variant);
  plan.alignment = is_transposed(shape) ? std::max(plan.piece_bytes, plan.value_piece_bytes) : plan.piece_bytes;
  plan.heads_per_block = heads_per_block_of(shape, plan);
  plan.rows_per_batch = rows_per_batch_of(plan, variant.block_n * plan.lanes_per_token / warp_size);
  // Weights of a run are held for all query heads at once.
  const int piece_tokens = plan.value_piece_bytes / element_bytes(shape.cache.element_type);
  plan.value_run_tokens = std::min(piece_tokens, plan.heads_per_block > 4 ? 4 : 8);
  plan.shared_bytes = shared_bytes_of(shape, variant, plan);
  return plan;
}

}  // namespace kvarium

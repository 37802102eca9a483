#include "kernels/cache/cuda/record_sums.cuh"
#include "kernels/cache/cuda/slice_records_parameters.cuh"
#include "kernels/cuda/device/element.cuh"
#include "kernels/cuda/device/warp.cuh"
#include "variant.cuh"

// Records of slices by the element rule: a warp sums the cells of one (logical block, KV head), or one new cell.

namespace kvarium {

constexpr int record_warps = 4;
constexpr bool is_split = variant::layout == CacheLayout::split_x;
constexpr int key_group = is_split ? split_group_size(variant::cache_type) : variant::head_size;
constexpr int value_group = is_split ? 1 : variant::head_size;

inline int64 this_warp() { return int64{blockIdx.x} * record_warps + threadIdx.x / warp_size; }
inline int this_lane() { return static_cast<int>(threadIdx.x) % warp_size; }

/// This lane's share of one cell.
inline uint64 cell_sum(const SliceRecordsParameters& parameters, const RecordSum& record, int64 block, int64 head,
                       int64 slot, int64 position) {
  const RecordSum::Cell cell(record, position);
  const RecordedStrides& k = parameters.key_strides;
  const RecordedStrides& v = parameters.value_strides;
  uint64 sum = 0;
  for (int e = this_lane(); e < variant::head_size; e += warp_size) {
    const int64 key = block * k.block + head * k.kv_head + slot * k.token + e / key_group * k.group + e % key_group;
    const int64 value =
        block * v.block + head * v.kv_head + slot * v.token + e / value_group * v.group + e % value_group;
    sum += cell.term(load_bits<variant::cache_type>(parameters.key, key), e * element_size);
    sum += cell.term(load_bits<variant::cache_type>(parameters.value, value), (variant::head_size + e) * element_size);
  }
  return sum;
}

inline uint64 sum_over_warp(uint64 sum) {
  for (int distance = warp_size / 2; distance > 0; distance /= 2) sum += __shfl_xor_sync(whole_warp, sum, distance);
  return sum;
}

}  // namespace kvarium

extern "C" __global__ void __launch_bounds__(32 * kvarium::record_warps)
    record_blocks(const __grid_constant__ kvarium::SliceRecordsParameters parameters) {
  using namespace kvarium;
  const int64 unit = this_warp();
  const int64 index = unit / parameters.num_kv_heads;
  const int64 head = unit % parameters.num_kv_heads;
  const int64 sequence = index / parameters.max_num_blocks_per_sequence;
  if (sequence >= parameters.num_sequences) return;
  const int64 first = index % parameters.max_num_blocks_per_sequence * variant::block_size;
  const int64 tokens = smaller(parameters.seq_lens[sequence] - first, int64{variant::block_size});
  if (tokens <= 0) return;
  const int64 block = parameters.block_tables[index];
  const bool is_stored = block >= 0 && block < parameters.num_blocks;
  const RecordSum record(parameters, head);
  uint64 sum = 0;
  for (int64 slot = 0; is_stored && slot < tokens; ++slot) {
    sum += cell_sum(parameters, record, block, head, slot, first + slot);
  }
  sum = sum_over_warp(sum);
  if (this_lane() != 0) return;
  parameters.expected[index * parameters.num_kv_heads + head] = record.value(sum);
  if (head == 0) parameters.covered_tokens[index] = is_stored ? static_cast<int>(tokens) : 0;
}

extern "C" __global__ void __launch_bounds__(32 * kvarium::record_warps)
    record_tokens(const __grid_constant__ kvarium::SliceRecordsParameters parameters) {
  using namespace kvarium;
  const int64 unit = this_warp();
  const int64 token = unit / parameters.num_kv_heads;
  const int64 head = unit % parameters.num_kv_heads;
  if (token >= parameters.num_tokens) return;
  const int64 slot = parameters.slots[token];
  const int64 block = slot / variant::block_size;
  const int64 position = parameters.positions[token];
  const int64 sequence = parameters.sequences[token];
  const bool is_stored = slot >= 0 && block < parameters.num_blocks;
  const bool has_record = sequence >= 0 && sequence < parameters.num_sequences && position >= 0 &&
                          position / variant::block_size < parameters.max_num_blocks_per_sequence;
  if (!is_stored || !has_record) return;
  const RecordSum record(parameters, head);
  const uint64 sum = sum_over_warp(cell_sum(parameters, record, block, head, slot % variant::block_size, position));
  if (this_lane() != 0) return;
  const int64 index = sequence * parameters.max_num_blocks_per_sequence + position / variant::block_size;
  atomicAdd(parameters.expected + index * parameters.num_kv_heads + head, record.value(sum));
  if (head == 0) atomicAdd(parameters.covered_tokens + index, 1);
}

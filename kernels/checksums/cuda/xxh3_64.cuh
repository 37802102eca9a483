#include "kernels/checksums/cuda/cell_units.cuh"
#include "kernels/checksums/cuda/xxh3_definition.cuh"
#include "kernels/cuda/device/warp.cuh"

// XXH3 goes through its message in order, so a warp takes a row: it sums the stripes of a block of 1024 bytes side by
// side and scrambles the sums between blocks. A row's bytes come from all layers, which launches put into the workspace
// first.

namespace kvarium {

constexpr int num_threads = 128;
constexpr int cell_size = 2 * half_cell_bytes;
constexpr int64 tensor_bytes = int64{units_per_tensor} * unit_bytes;

inline SummedLayer* all_layers(const CellSumParameters& parameters) {
  return reinterpret_cast<SummedLayer*>(parameters.workspace);
}

/// Words of a row's bytes, by cells or as memory holds whole blocks.
struct RowMessage {
  const CellSumParameters& parameters;
  int64 block;
  int64 valid_tokens;  ///< summed

  static RowMessage of_row(const CellSumParameters& launch, int64 row) {
    const int64 block = launch.block_ids[row];
    const bool is_inside = block >= 0 && block < launch.num_blocks;
    const int64 valid = variant::in_memory_order
                            ? variant::block_size
                            : smaller(larger(launch.valid_tokens[row], int64{0}), int64{variant::block_size});
    return {launch, block, is_inside ? valid : 0};
  }

  int64 bytes() const { return int64{parameters.all_layers} * variant::num_kv_heads * valid_tokens * cell_size; }

  uint64 operator()(uint64 index) const {
    const int64 byte = static_cast<int64>(8 * index);
    uint64 word = 0;
    for (int i = 0; i < 8; i += element_size) {
      const uint8* const address = variant::in_memory_order ? stored_address(byte + i) : cell_address(byte + i);
      word |= uint64{load_bits<variant::cache_type>(address)} << (8 * i);
    }
    return word;
  }

 private:
  const uint8* block_of(const SummedLayer& layer, bool is_value) const {
    const SummedStrides& strides = is_value ? parameters.value : parameters.key;
    return static_cast<const uint8*>(is_value ? layer.value : layer.key) + block * strides.block * element_size;
  }

  const uint8* cell_address(int64 byte) const {
    const int64 cell = byte / cell_size;
    const int place = static_cast<int>(byte % cell_size);
    const int64 line = cell / valid_tokens;
    const SummedLayer& layer = all_layers(parameters)[line / variant::num_kv_heads];
    const CellRow row{block_of(layer, false), block_of(layer, true), 0, 0, valid_tokens};
    const UnitPlace unit{static_cast<int>(line % variant::num_kv_heads), static_cast<int>(cell % valid_tokens),
                         place % half_cell_bytes};
    return place < half_cell_bytes ? address_of<false>(parameters, row, unit) : address_of<true>(parameters, row, unit);
  }

  const uint8* stored_address(int64 byte) const {
    constexpr int64 buffer_bytes = (variant::layout == CacheLayout::packed ? 2 : 1) * tensor_bytes;
    const int64 buffer = byte / buffer_bytes;
    const SummedLayer& layer = all_layers(parameters)[buffer % parameters.all_layers];
    return block_of(layer, buffer >= parameters.all_layers) + byte % buffer_bytes;
  }
};

/// One lane's sum of a long message; lanes 8 apart hold the same.
class LaneSum {
 public:
  /// Adds `count` stripes from `first` on, which begin a block.
  void add_block(const RowMessage& word, uint64 first, int count) {
    uint64 products = 0, words = 0;
    for (int stripe = threadIdx.x % warp_size / xxh3::lanes; stripe < count; stripe += warp_size / xxh3::lanes) {
      const uint64 data = word((first + stripe) * xxh3::lanes + lane_);
      products += xxh3::keyed_product(data, xxh3::secret(8 * stripe + 8 * lane_));
      words += data;
    }
    for (int distance = xxh3::lanes; distance < warp_size; distance *= 2) {
      products += __shfl_xor_sync(whole_warp, products, distance);
      words += __shfl_xor_sync(whole_warp, words, distance);
    }
    sum_ += products + __shfl_xor_sync(whole_warp, words, 1);
    if (count == xxh3::stripes_per_block) sum_ = xxh3::scrambled(sum_, lane_);
  }

  /// Adds the last stripe and merges all lanes' sums.
  uint64 finish(const RowMessage& word, uint64 bytes) {
    const uint64 data = word(bytes / 8 - xxh3::lanes + lane_);
    sum_ += xxh3::keyed_product(data, xxh3::secret(121 + 8 * lane_)) + __shfl_xor_sync(whole_warp, data, 1);
    uint64 sums[xxh3::lanes];
    for (int lane = 0; lane < xxh3::lanes; ++lane) sums[lane] = __shfl_sync(whole_warp, sum_, lane);
    return xxh3::merged(sums, bytes);
  }

 private:
  int lane_ = threadIdx.x % xxh3::lanes;
  uint64 sum_ = xxh3::first_sum(lane_);
};

/// By a whole warp.
inline uint64 long_hash(const RowMessage& word, uint64 bytes) {
  LaneSum sum;
  const uint64 stripes = xxh3::ordered_stripes(bytes);
  for (uint64 first = 0; first < stripes; first += xxh3::stripes_per_block) {
    sum.add_block(word, first, static_cast<int>(smaller(stripes - first, uint64{xxh3::stripes_per_block})));
  }
  return sum.finish(word, bytes);
}

}  // namespace kvarium

extern "C" __global__ void __launch_bounds__(kvarium::num_threads)
    store_layers(const __grid_constant__ kvarium::CellSumParameters parameters) {
  using namespace kvarium;
  const int layer = static_cast<int>(blockIdx.x * num_threads + threadIdx.x);
  if (layer >= parameters.num_layers) return;
  all_layers(parameters)[parameters.first_layer + layer] = parameters.layers[layer];
}

extern "C" __global__ void __launch_bounds__(kvarium::num_threads)
    hash_rows(const __grid_constant__ kvarium::CellSumParameters parameters) {
  using namespace kvarium;
  const int64 row = (int64{blockIdx.x} * num_threads + threadIdx.x) / warp_size;
  if (row >= parameters.num_rows) return;
  const RowMessage message = RowMessage::of_row(parameters, row);
  const uint64 bytes = static_cast<uint64>(message.bytes());
  const uint64 hash = bytes <= xxh3::longest_short_message ? xxh3::short_hash(message, static_cast<int>(bytes))
                                                           : long_hash(message, bytes);
  if (threadIdx.x % warp_size == 0) parameters.out[row] = hash;
}

#include "kernels/checksums/cuda/piece_sum_parameters.cuh"
#include "kernels/checksums/cuda/piece_vector.cuh"
#include "kernels/cuda/device/types.cuh"
#include "kernels/cuda/device/warp.cuh"
#include "variant.cuh"

// layers_checksum: a warp sums a chunk of one (layer, row) and adds it to its place. Sums of integers have no order, so
// chunks may come in any.

namespace kvarium {

constexpr int num_threads = 128;
constexpr int warps_per_block = num_threads / warp_size;

/// A unit is what one lane loads at once: 16 bytes, or a piece where addresses or strides do not allow that.
constexpr int unit_pieces = variant::is_vectorised ? 16 / variant::piece_width : 1;
constexpr int units_per_token = variant::pieces / unit_pieces;
constexpr int units_per_row = variant::kernel_blocks * variant::heads * variant::tokens * units_per_token;
constexpr int units_per_chunk = variant::chunk / unit_pieces;
constexpr int chunks_per_row = (units_per_row + units_per_chunk - 1) / units_per_chunk;
constexpr int loads_in_flight = 4;

/// One layer and row: what all its pieces share.
struct RowTask {
  const uint8* data;  ///< of the block
  int64 first_head;
  int64 column;
  int64 first_token;
  int64 valid_tokens;
};

/// Where a unit lies in its row.
struct UnitPlace {
  int kernel_block, head, token, unit;
};

/// The axis that digit `rank` of a unit's number counts, 0 the slowest: kernel block 0, head 1, token 2.
constexpr int axis_at(int rank) { return variant::axis_order / (rank == 0 ? 100 : rank == 1 ? 10 : 1) % 10; }
constexpr int axis_size(int axis) {
  return axis == 0 ? variant::kernel_blocks : axis == 1 ? variant::heads : variant::tokens;
}

inline UnitPlace place_of(int index) {
  int digits[3];
  UnitPlace place;
  place.unit = index % units_per_token;
  index /= units_per_token;
  digits[axis_at(2)] = index % axis_size(axis_at(2));
  index /= axis_size(axis_at(2));
  digits[axis_at(1)] = index % axis_size(axis_at(1));
  digits[axis_at(0)] = index / axis_size(axis_at(1));
  place.kernel_block = digits[0];
  place.head = digits[1];
  place.token = digits[2];
  return place;
}

inline int64 token_in_block(const UnitPlace& place) {
  return int64{place.kernel_block} * variant::tokens + place.token;
}

inline const void* address_of(const PieceSumParameters& parameters, const RowTask& task, const UnitPlace& place) {
  const int64 pieces = place.kernel_block * parameters.kernel_block_stride + place.head * parameters.head_stride +
                       place.token * parameters.token_stride +
                       int64{place.unit} * unit_pieces * parameters.piece_stride;
  return task.data + pieces * variant::piece_width;
}

inline uint64 load_piece(const void* address) {
  if constexpr (variant::piece_width == 1) return *static_cast<const uint8*>(address);
  if constexpr (variant::piece_width == 2) return *static_cast<const uint16*>(address);
  if constexpr (variant::piece_width == 4) return *static_cast<const uint32*>(address);
  if constexpr (variant::piece_width == 8) return *static_cast<const uint64*>(address);
}

/// A unit as it was loaded: 16 bytes, or one piece in the first 8.
inline PieceVector load_unit(const void* address) {
  if constexpr (variant::is_vectorised) return load_vector(address);
  const uint64 piece = load_piece(address);
  return {static_cast<uint32>(piece), static_cast<uint32>(piece >> 32), 0, 0};
}

inline VectorSums unit_sums(const PieceVector& unit) {
  if constexpr (variant::is_vectorised) return sums_of<variant::piece_width>(unit);
  return {uint64{unit.words[1]} << 32 | unit.words[0], 0};
}

/// (2*(first_head + head) + 1) times the sum of (2*position + 1) * piece.
inline uint64 weighted(const RowTask& task, const UnitPlace& place, const VectorSums& sums) {
  const uint64 position = (task.first_token + token_in_block(place)) * uint64{variant::pieces} +
                          static_cast<uint64>(place.unit * unit_pieces);
  const uint64 head_weight = 2 * static_cast<uint64>(task.first_head + place.head) + 1;
  return head_weight * ((2 * position + 1) * sums.plain + 2 * sums.numbered);
}

inline bool is_counted(const RowTask& task, const UnitPlace& place, int index, int end) {
  return index < end && token_in_block(place) < task.valid_tokens;
}

inline uint64 chunk_sum(const PieceSumParameters& parameters, const RowTask& task, int chunk) {
  const int end = smaller((chunk + 1) * units_per_chunk, units_per_row);
  uint64 sum = 0;
  for (int begin = chunk * units_per_chunk; begin < end; begin += warp_size * loads_in_flight) {
    const int first = begin + threadIdx.x % warp_size;
    PieceVector units[loads_in_flight];
#pragma unroll
    for (int i = 0; i < loads_in_flight; ++i) {
      const int index = first + i * warp_size;
      const UnitPlace place = place_of(index);
      // What does not count is read from the row's first unit, so that no branch parts the loads.
      units[i] = load_unit(is_counted(task, place, index, end) ? address_of(parameters, task, place) : task.data);
    }
    // Keeps the assembler from saving registers by loading late.
    __syncwarp();
#pragma unroll
    for (int i = 0; i < loads_in_flight; ++i) {
      const int index = first + i * warp_size;
      const UnitPlace place = place_of(index);
      const uint64 term = weighted(task, place, unit_sums(units[i]));
      sum += is_counted(task, place, index, end) ? term : 0;
    }
  }
  return sum;
}

inline uint64 warp_sum(uint64 value) {
  for (int distance = warp_size / 2; distance > 0; distance /= 2) value += __shfl_xor_sync(whole_warp, value, distance);
  return value;
}

/// The task of a row of a layer; no valid tokens where block id or column lie outside.
inline RowTask task_of(const PieceSumParameters& parameters, int64 layer, int64 row) {
  const int64* values = parameters.layers + 3 * layer;
  const int64 block = parameters.block_ids[row];
  const bool is_inside =
      block >= 0 && block < parameters.num_blocks && values[2] >= 0 && values[2] < parameters.num_columns;
  RowTask task;
  task.data = reinterpret_cast<const uint8*>(values[0]) + block * parameters.block_stride * variant::piece_width;
  task.first_head = values[1];
  task.column = values[2];
  task.first_token = parameters.first_tokens[row];
  task.valid_tokens = is_inside ? parameters.valid_tokens[row] : 0;
  return task;
}

}  // namespace kvarium

extern "C" __global__ void __launch_bounds__(kvarium::num_threads)
    piece_sum(const __grid_constant__ kvarium::PieceSumParameters parameters) {
  using namespace kvarium;
  const int64 unit = int64{blockIdx.x} * warps_per_block + threadIdx.x / warp_size;
  const int64 layer_row = unit / chunks_per_row;
  const int64 layer = layer_row / parameters.num_rows;
  if (layer >= parameters.num_layers) return;
  const int64 row = layer_row % parameters.num_rows;
  const RowTask task = task_of(parameters, layer, row);
  if (task.valid_tokens <= 0) return;
  const uint64 sum = warp_sum(chunk_sum(parameters, task, static_cast<int>(unit % chunks_per_row)));
  if (threadIdx.x % warp_size != 0) return;
  uint64* place = parameters.out + row * parameters.out_stride + task.column;
  if (chunks_per_row == 1 && parameters.num_layers == 1) {
    *place += sum;
  } else {
    atomicAdd(place, sum);
  }
}

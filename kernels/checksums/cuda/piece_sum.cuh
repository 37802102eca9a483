#include "kernels/checksums/cuda/piece_sum_parameters.cuh"
#include "kernels/checksums/cuda/piece_vector.cuh"
#include "kernels/checksums/cuda/sum_units.cuh"
#include "kernels/cuda/device/dependent_launch.cuh"
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
constexpr int units_per_chunk = smaller(variant::chunk / unit_pieces, units_per_row);
constexpr int chunks_per_row = (units_per_row + units_per_chunk - 1) / units_per_chunk;

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

/// Whether 32 bits hold every distance in a row.
constexpr bool is_near(int64 stride, int64 count) {
  return (stride < 0 ? -stride : stride) * count * variant::piece_width < (1LL << 29);
}
constexpr bool row_is_near =
    is_near(variant::kernel_block_stride, variant::kernel_blocks) && is_near(variant::head_stride, variant::heads) &&
    is_near(variant::token_stride, variant::tokens) && is_near(variant::piece_stride, variant::pieces);
template <bool is_narrow>
struct DistanceOf {
  using Type = int;
};
template <>
struct DistanceOf<false> {
  using Type = int64;
};
/// In pieces.
using Distance = DistanceOf<row_is_near>::Type;

inline const uint8* address_of(const RowTask& task, const UnitPlace& place) {
  const Distance pieces = place.kernel_block * static_cast<Distance>(variant::kernel_block_stride) +
                          place.head * static_cast<Distance>(variant::head_stride) +
                          place.token * static_cast<Distance>(variant::token_stride) +
                          place.unit * static_cast<Distance>(unit_pieces * variant::piece_stride);
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

/// A row as sum_units walks it.
struct RowWalk {
  const RowTask& task;

  bool counts(int index) const { return token_in_block(place_of(index)) < task.valid_tokens; }
  const uint8* address(int index) const { return address_of(task, place_of(index)); }
  const uint8* any_address() const { return task.data; }
  static PieceVector load(const uint8* address) { return load_unit(address); }
  uint64 term(int index, const PieceVector& unit) const { return weighted(task, place_of(index), unit_sums(unit)); }
};

/// The task of a row of a layer; no valid tokens where block id or column lie outside, or vectors cannot be read.
inline RowTask task_of(const PieceSumParameters& parameters, int layer, int64 row) {
  const SummedView& view = parameters.layers != nullptr ? parameters.layers[layer] : parameters.given_layers[layer];
  const int64 block = parameters.block_ids[row];
  // Aligned addresses are promised, not trusted: an odd one would end the context.
  const bool is_readable = !variant::is_vectorised || view.address % 16 == 0;
  const bool is_inside = is_readable && block >= 0 && block < parameters.num_blocks && view.column >= 0 &&
                         view.column < parameters.num_columns;
  RowTask task;
  task.data = reinterpret_cast<const uint8*>(view.address) + block * parameters.block_stride * variant::piece_width;
  task.first_head = view.first_head;
  task.column = view.column;
  task.first_token = parameters.first_tokens[row];
  task.valid_tokens = is_inside ? parameters.valid_tokens[row] : 0;
  return task;
}

}  // namespace kvarium

extern "C" __global__ void __launch_bounds__(kvarium::num_threads)
    piece_sum(const __grid_constant__ kvarium::PieceSumParameters parameters) {
  using namespace kvarium;
  const int64 unit = int64{blockIdx.x} * warps_per_block + threadIdx.x / warp_size;
  const int64 row = unit / chunks_per_row;
  RowTask task{};
  if (row < parameters.num_rows) task = task_of(parameters, static_cast<int>(blockIdx.y), row);
  uint64 sum = 0;
  if (task.valid_tokens > 0) {
    constexpr Batches batches{.units_per_lane = 4, .unrolled = 2};
    sum = sum_units<batches, units_per_chunk, units_per_row>(RowWalk{task}, static_cast<int>(unit % chunks_per_row));
  }
  // Everything but `out` was written before the launch that zeroes it began, so only the sums wait for that one.
  if constexpr (variant::follows_zeroing) wait_for_predecessors();
  if (task.valid_tokens <= 0 || threadIdx.x % warp_size != 0) return;
  uint64* place = parameters.out + row * parameters.out_stride + task.column;
  if (chunks_per_row == 1 && gridDim.y == 1) {
    *place += sum;
  } else {
    atomicAdd(place, sum);
  }
}

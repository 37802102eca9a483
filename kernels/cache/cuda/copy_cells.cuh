#include "kernels/cache/cuda/copy_parameters.cuh"
#include "kernels/cuda/device/element.cuh"
#include "kernels/cuda/device/not_a_number.cuh"
#include "kernels/cuda/device/types.cuh"
#include "variant.cuh"

// Copies cells from one side to the other, a unit of neighbouring elements a thread: whole 16-byte vectors where both
// sides allow it, single elements elsewhere. Writing a cache, gathering, scattering and copying blocks are all this.

namespace kvarium {

constexpr bool is_conversion = variant::source_type != variant::destination_type;
constexpr int units_per_head = variant::head_size / variant::unit_elements;

struct alignas(16) Vector16 {
  uint32 words[4];
};

/// The cell of a row, or -1 for one that is left out.
inline int64 cell_of(const CellSide& side, int64 row) {
  int64 cell = row;
  if (side.ids != nullptr) {
    const int64 id = side.ids[row / side.tokens_per_id * side.id_stride];
    cell = id < 0 ? -1 : id * side.tokens_per_id + row % side.tokens_per_id;
  }
  return cell < side.num_cells ? cell : -1;
}

struct Strides {
  int64 block, head, token, group;
};

template <int block_size, int group_size>
int64 offset_of(const Strides& strides, int64 cell, int64 head, int64 element) {
  // Dense rows are one block without an end.
  const int64 block = block_size > 0 ? cell / block_size : 0;
  const int64 token = block_size > 0 ? cell % block_size : cell;
  return block * strides.block + head * strides.head + token * strides.token + element / group_size * strides.group +
         element % group_size;
}

/// An element in another type, divided by `scale`; of a NaN only the sign is kept, as on the host.
inline RawElement<variant::destination_type> convert(RawElement<variant::source_type> raw, float scale) {
  const float value = decode<variant::source_type>(raw);
  if (isnan(value)) return quiet_nan<variant::destination_type>(is_negative<variant::source_type>(raw));
  return encode<variant::destination_type>(value / scale);
}

/// Copies one unit between two tensors.
inline void copy_unit(const void* source, int64 from, void* destination, int64 to, float scale) {
  using Raw = RawElement<variant::source_type>;
  if constexpr (variant::unit_elements > 1) {
    const auto* vector = reinterpret_cast<const Vector16*>(static_cast<const Raw*>(source) + from);
    *reinterpret_cast<Vector16*>(static_cast<Raw*>(destination) + to) = *vector;
  } else if constexpr (is_conversion) {
    static_cast<RawElement<variant::destination_type>*>(destination)[to] =
        convert(static_cast<const Raw*>(source)[from], scale);
  } else {
    static_cast<Raw*>(destination)[to] = static_cast<const Raw*>(source)[from];
  }
}

/// A row's cells on both sides, one head and one unit of elements.
struct Place {
  int64 from, to, head, element;
};

inline void copy_key(const CopyParameters& parameters, const Place& place) {
  const CellSide& source = parameters.source;
  const CellSide& destination = parameters.destination;
  const int64 from = offset_of<variant::source_block_size, variant::source_key_group>(
      {source.key_block, source.key_head, source.key_token, source.key_group}, place.from, place.head, place.element);
  const int64 to = offset_of<variant::destination_block_size, variant::destination_key_group>(
      {destination.key_block, destination.key_head, destination.key_token, destination.key_group}, place.to, place.head,
      place.element);
  copy_unit(source.key, from, destination.key, to, parameters.key_scale);
}

inline void copy_value(const CopyParameters& parameters, const Place& place) {
  const CellSide& source = parameters.source;
  const CellSide& destination = parameters.destination;
  const int64 from = offset_of<variant::source_block_size, variant::source_value_group>(
      {source.value_block, source.value_head, source.value_token, source.value_group}, place.from, place.head,
      place.element);
  const int64 to = offset_of<variant::destination_block_size, variant::destination_value_group>(
      {destination.value_block, destination.value_head, destination.value_token, destination.value_group}, place.to,
      place.head, place.element);
  copy_unit(source.value, from, destination.value, to, parameters.value_scale);
}

}  // namespace kvarium

extern "C" __global__ void __launch_bounds__(256)
    copy_cells(const __grid_constant__ kvarium::CopyParameters parameters) {
  using namespace kvarium;
  const int64 units_per_row = int64{parameters.num_kv_heads} * units_per_head;
  const int64 units = parameters.num_rows * units_per_row;
  for (int64 unit = int64{blockIdx.x} * blockDim.x + threadIdx.x; unit < units; unit += int64{gridDim.x} * blockDim.x) {
    const int64 row = unit / units_per_row;
    const int64 in_row = unit % units_per_row;
    const Place place{cell_of(parameters.source, row), cell_of(parameters.destination, row), in_row / units_per_head,
                      in_row % units_per_head * variant::unit_elements};
    if (place.from < 0 || place.to < 0) continue;
    copy_key(parameters, place);
    copy_value(parameters, place);
  }
}

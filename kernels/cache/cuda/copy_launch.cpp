#include "kernels/cache/cuda/copy_launch.hpp"

#include <algorithm>
#include <array>

#include "kernels/cuda/kernel_table.hpp"
#include "kernels/cuda/launch.hpp"

namespace kvarium {
namespace {

constexpr unsigned int threads = 256;
constexpr int vector_bytes = 16;

/// Whether every group of elements of a tensor begins at a multiple of 16 bytes and fills whole vectors.
bool suits_vectors(const CacheTensor& tensor, int element) {
  const CacheStrides& strides = tensor.strides;
  const std::int64_t per_vector = vector_bytes / element;
  const bool is_even = strides.block % per_vector == 0 && strides.kv_head % per_vector == 0 &&
                       strides.token % per_vector == 0 && strides.group % per_vector == 0;
  return is_even && strides.group_size % per_vector == 0 &&
         reinterpret_cast<std::uintptr_t>(tensor.data) % vector_bytes == 0;
}

int unit_elements(const CellCopy& copy) {
  if (copy.source.element_type != copy.destination.element_type) return 1;
  const int element = element_bytes(copy.source.element_type);
  for (const CopySide* side : {&copy.source, &copy.destination}) {
    if (!suits_vectors(side->key, element) || !suits_vectors(side->value, element)) return 1;
  }
  return vector_bytes / element;
}

/// What the kernel is compiled for.
using CopyKey = std::array<int, 10>;

CopyKey key_of(const CellCopy& copy) {
  const auto type = [](ElementType element) { return static_cast<int>(element); };
  const CopySide& source = copy.source;
  const CopySide& destination = copy.destination;
  return {type(source.element_type),
          type(destination.element_type),
          source.block_size,
          destination.block_size,
          source.key.strides.group_size,
          source.value.strides.group_size,
          destination.key.strides.group_size,
          destination.value.strides.group_size,
          copy.head_size,
          unit_elements(copy)};
}

CellSide side_parameters(const CopySide& side) {
  CellSide cells = side.cells;
  const CacheStrides& key = side.key.strides;
  const CacheStrides& value = side.value.strides;
  cells.key = side.key.data;
  cells.value = side.value.data;
  cells.key_block = key.block;
  cells.key_head = key.kv_head;
  cells.key_token = key.token;
  cells.key_group = key.group;
  cells.value_block = value.block;
  cells.value_head = value.kv_head;
  cells.value_token = value.token;
  cells.value_group = value.group;
  return cells;
}

}  // namespace

KernelSource copy_source(const CellCopy& copy) {
  VariantConstants constants;
  constants.add("source_type", copy.source.element_type)
      .add("destination_type", copy.destination.element_type)
      .add("source_block_size", copy.source.block_size)
      .add("destination_block_size", copy.destination.block_size)
      .add("source_key_group", copy.source.key.strides.group_size)
      .add("source_value_group", copy.source.value.strides.group_size)
      .add("destination_key_group", copy.destination.key.strides.group_size)
      .add("destination_value_group", copy.destination.value.strides.group_size)
      .add("head_size", copy.head_size)
      .add("unit_elements", unit_elements(copy));
  return {"kernels/cache/cuda/copy_cells.cuh", {"copy_cells"}, constants};
}

void launch_copy(const CellCopy& copy, void* stream) {
  if (copy.num_rows == 0) return;
  static KernelTable<CopyKey, DeviceKernel> table;
  const DeviceKernel kernel = table.get(key_of(copy), [&] { return load_kernel(copy_source(copy), "copy_cells"); });
  const CopyParameters parameters{side_parameters(copy.source),
                                  side_parameters(copy.destination),
                                  copy.num_rows,
                                  copy.num_kv_heads,
                                  copy.key_scale,
                                  copy.value_scale};
  const std::int64_t units = copy.num_rows * copy.num_kv_heads * (copy.head_size / unit_elements(copy));
  constexpr std::int64_t most_blocks = 1 << 20;
  LaunchShape shape;
  shape.grid[0] = static_cast<unsigned int>(std::min<std::int64_t>((units + threads - 1) / threads, most_blocks));
  shape.block[0] = threads;
  kernel.launch(shape, stream, parameters);
}

}  // namespace kvarium

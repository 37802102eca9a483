#include "kernels/attention/device_merge_states.hpp"

#include <cstdint>
#include <limits>

#include "core/check.hpp"
#include "kernels/cuda/kernel_table.hpp"
#include "kernels/cuda/launch.hpp"

namespace kvarium {

KernelSource merge_states_source(const StateShape& shape) {
  VariantConstants constants;
  constants.add("element_type", shape.element_type).add("head_size", shape.head_size);
  return {"kernels/attention/cuda/merge_states.cuh", {"merge_states"}, constants};
}

void merge_states_on_device(const AttentionState& left, const AttentionState& right, const AttentionState& merged,
                            const StateShape& shape, void* stream) {
  if (shape.num_rows == 0) return;
  KVARIUM_VALIDATE(shape.num_rows <= std::numeric_limits<std::int32_t>::max(), "there are ", shape.num_rows,
                   " rows to merge; at most 2^31 - 1 go in one launch");
  static KernelTable<std::pair<ElementType, int>, DeviceKernel> table;
  const DeviceKernel kernel = table.get({shape.element_type, shape.head_size},
                                        [&] { return load_kernel(merge_states_source(shape), "merge_states"); });
  LaunchShape launch;
  launch.grid[0] = static_cast<unsigned int>(shape.num_rows);
  launch.block[0] = 128;
  kernel.launch(launch, stream, left.out, left.lse, right.out, right.lse, merged.out, merged.lse);
}

}  // namespace kvarium

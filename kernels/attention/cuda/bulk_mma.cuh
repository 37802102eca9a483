#include "kernels/attention/cuda/bulk_mma_attend.cuh"
#include "kernels/attention/cuda/bulk_mma_producer.cuh"
#include "kernels/attention/cuda/register_mma_partitions.cuh"
#include "kernels/cuda/device/dependent_launch.cuh"

// V3 in fixed partitions. Warps that attend have a ring of stages each; a few more warps fill them by bulk copies of
// whole slabs. The operands are those of register_mma.

namespace kvarium {

/// The one work of a warp, for the lanes that serve it.
inline void produce_partitions(const AttentionParameters& parameters) {
  const int consumer = served_consumer();
  const WarpTask task = warp_task(parameters, consumer);
  bool is_left = consumer < variant::warps && !task.is_empty(parameters);
  fill_ring(parameters, [&](WarpWork& work) {
    work = task.work;
    const bool has_work = is_left;
    is_left = false;
    return has_work;
  });
}

}  // namespace kvarium

extern "C" __global__ void __launch_bounds__(32 * (kvarium::variant::warps + kvarium::num_producers),
                                             kvarium::variant::blocks_per_multiprocessor)
    attend_partitions(const __grid_constant__ kvarium::AttentionParameters parameters) {
  using namespace kvarium;
  if constexpr (variant::launches_dependents) allow_dependents();
  start_rings();
  if (threadIdx.x < variant::warps * warp_size) {
    attend_partition(parameters);
  } else {
    produce_partitions(parameters);
  }
}

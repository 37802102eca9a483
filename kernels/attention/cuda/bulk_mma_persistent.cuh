#include "kernels/attention/cuda/bulk_mma_attend.cuh"
#include "kernels/attention/cuda/bulk_mma_producer.cuh"
#include "kernels/attention/cuda/register_mma_ranges.cuh"
#include "kernels/cuda/device/dependent_launch.cuh"

// V3 with a persistent schedule.

namespace kvarium {

/// The works of a warp's share, for the lanes that serve it. Shares are found by the whole producing warp, one after
/// the other.
inline void produce_shares(const AttentionParameters& parameters, int num_ranges) {
  const BatchGroups groups(parameters);
  const int consumer = served_consumer();
  const int first = __shfl_sync(whole_warp, consumer, 0);
  ShareWorks works({}, 0);
  for (int i = first; i < smaller(first + consumers_per_producer, variant::warps); ++i) {
    const ShareWorks found = works_of(parameters, groups, warp_share(parameters, i), num_ranges);
    if (i == consumer) works = found;
  }
  fill_ring(parameters, [&](WarpWork& work) {
    if (!works.next(parameters)) return false;
    work = works.work(parameters, warp_share(parameters, consumer));
    return true;
  });
}

}  // namespace kvarium

extern "C" __global__ void __launch_bounds__(32 * (kvarium::variant::warps + kvarium::num_producers),
                                             kvarium::variant::blocks_per_multiprocessor)
    attend_ranges(const __grid_constant__ kvarium::AttentionParameters parameters, int num_ranges) {
  using namespace kvarium;
  if constexpr (variant::launches_dependents) allow_dependents();
  start_rings();
  if (threadIdx.x < variant::warps * warp_size) {
    attend_share(parameters, num_ranges);
  } else {
    produce_shares(parameters, num_ranges);
  }
}

#pragma once

#include "kernels/attention/cuda/bulk_mma_slabs.cuh"
#include "kernels/cuda/device/bulk_copy.cuh"

namespace kvarium {

/// Lanes that copy for one attending warp. Each arrives at the barriers of the stages it fills.
constexpr int lanes_per_consumer = variant::lanes_per_consumer;
constexpr int consumers_per_producer = warp_size / lanes_per_consumer;
constexpr int num_producers = (variant::warps + consumers_per_producer - 1) / consumers_per_producer;

/// Which stage of a ring comes next, and in which pass over the ring.
struct RingPosition {
  int slot = 0;
  int pass = 0;  ///< modulo 2

  void advance() {
    if (++slot < variant::stages) return;
    slot = 0;
    pass ^= 1;
  }
};

/// Barriers of one ring.
struct RingControl {
  TransferBarrier full[variant::stages];   ///< passes when a stage has arrived
  TransferBarrier empty[variant::stages];  ///< passes when a stage was attended
  RingPosition position;                   ///< of the attending warp, between two of its works
};

/// Ring of stages of one attending warp.
struct Ring {
  char* stages;
  RingControl* control;

  explicit Ring(int consumer) {
    extern __shared__ uint4 rings[];
    constexpr int ring_stage_bytes = variant::stages * stage_bytes;
    auto* const first = reinterpret_cast<char*>(rings);
    stages = first + consumer * ring_stage_bytes;
    control = reinterpret_cast<RingControl*>(first + variant::warps * ring_stage_bytes) + consumer;
  }

  char* stage(int slot) const { return stages + slot * stage_bytes; }
};
static_assert(sizeof(RingControl) == 16 * variant::stages + 8, "as static_assert in bulk_mma_slabs.cuh has it");

/// Starts all barriers. Called by all threads of the block.
inline void start_rings() {
  if (threadIdx.x < variant::warps) {
    RingControl& control = *Ring(static_cast<int>(threadIdx.x)).control;
    for (int slot = 0; slot < variant::stages; ++slot) {
      control.full[slot].start(lanes_per_consumer);
      control.empty[slot].start(warp_size);
    }
    control.position = {};
    publish_barriers();
  }
  __syncthreads();
}

}  // namespace kvarium

#pragma once

#include "kernels/cuda/device/asynchronous_copy.cuh"

// Bulk copies and the barriers that count their bytes; need sm_90. A barrier passes from one phase to the next when all
// its arrivals are there and all bytes that they announced. Source: PTX ISA, mbarrier and cp.async.bulk.

namespace kvarium {

/// A barrier in shared memory.
struct TransferBarrier {
  uint64 word;

  /// By one thread, before any other sees the barrier; then `publish_barriers` and a barrier of the thread block.
  void start(int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&word)), "r"(arrivals) : "memory");
  }

  void arrive() {
    asm volatile("{.reg .b64 unused; mbarrier.arrive.shared::cta.b64 unused, [%0];}" ::"r"(shared_address(&word))
                 : "memory");
  }

  /// Arrives, and announces bytes that this thread will have copied.
  void arrive_expecting(int bytes) {
    asm volatile(
        "{.reg .b64 unused; mbarrier.arrive.expect_tx.shared::cta.b64 unused, [%0], %1;}" ::"r"(shared_address(&word)),
        "r"(bytes)
        : "memory");
  }

  /// Whether the phase of this parity has passed; a new barrier has passed one of parity 1. What was written before
  /// the arrivals can be read then. Answers at once.
  bool has_passed(int parity) {
    uint32 passed;
    asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
                 : "=r"(passed)
                 : "r"(shared_address(&word)), "r"(parity)
                 : "memory");
    return passed != 0;
  }

  /// The same as soon as it has passed, or after a while.
  bool passes_soon(int parity) {
    uint32 passed;
    asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
                 : "=r"(passed)
                 : "r"(shared_address(&word)), "r"(parity)
                 : "memory");
    return passed != 0;
  }

  void wait(int parity) {
    while (!passes_soon(parity)) {
    }
  }
};

/// Makes barriers that this thread started known to bulk copies.
inline void publish_barriers() {
  asm volatile("fence.mbarrier_init.release.cluster; fence.proxy.async.shared::cta;" ::: "memory");
}

/// Orders this thread's writes to shared memory before bulk copies into it that follow a barrier.
inline void order_before_bulk_copies() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

/// Starts to copy `bytes` bytes from global to shared memory, which count for `barrier`. Precondition: addresses and
/// bytes are multiples of 16.
inline void start_bulk_copy(void* to, const void* from, int bytes, TransferBarrier& barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   shared_address(to)),
               "l"(from), "r"(bytes), "r"(shared_address(&barrier.word))
               : "memory");
}

}  // namespace kvarium

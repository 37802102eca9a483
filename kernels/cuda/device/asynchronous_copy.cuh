#pragma once

#include "kernels/cuda/device/types.cuh"

namespace kvarium {

/// Starts a copy of 4, 8 or 16 bytes from global to shared memory. Both addresses are multiples of `bytes`. The thread
/// that started it sees the bytes after `wait_for_copies`, others after a barrier behind that. 16 bytes are kept out of
/// L1, as `load_streamed` does.
template <int bytes>
void start_copy(void* shared, const void* global) {
  static_assert(bytes == 4 || bytes == 8 || bytes == 16, "a thread copies 4, 8 or 16 bytes at once");
  const auto address = static_cast<uint32>(__cvta_generic_to_shared(shared));
  if constexpr (bytes == 16) {
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(address), "l"(global) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], %2;" ::"r"(address), "l"(global), "n"(bytes)
                 : "memory");
  }
}

/// Makes one group of the copies that this thread started since the last group; it may be empty.
inline void group_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }

/// Waits until at most the `pending` last groups of this thread are on their way.
template <int pending>
void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}

}  // namespace kvarium

#pragma once

#include "kernels/cuda/device/types.cuh"

namespace kvarium {

/// Address of something in shared memory as instructions take it.
inline uint32 shared_address(const void* address) { return static_cast<uint32>(__cvta_generic_to_shared(address)); }

/// Starts to copy 4 * `words` bytes from global to shared memory, past the registers; or, if they do not `exist`, to
/// fill the place with zeros. Precondition: both addresses are multiples of the size. Source: PTX ISA, cp.async.
template <int words>
void start_copy(void* to, const void* from, bool exists) {
  static_assert(words == 1 || words == 2 || words == 4, "4, 8 or 16 bytes are copied at once");
  const uint32 bytes_read = exists ? 4 * words : 0;
  if constexpr (words == 4) {
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(shared_address(to)), "l"(from),
                 "r"(bytes_read)
                 : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], %2, %3;" ::"r"(shared_address(to)), "l"(from),
                 "n"(4 * words), "r"(bytes_read)
                 : "memory");
  }
}

/// Makes one group of the copies that this thread started since its last group.
inline void end_copy_group() { asm volatile("cp.async.commit_group;" ::: "memory"); }

/// Waits until this thread's copies have arrived, but for those of its last `pending` groups.
template <int pending>
void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}

}  // namespace kvarium

#include "kernels/cuda/device/types.cuh"
#include "variant.cuh"

// The yardstick of kernels that are bound by device memory: reads everything once, 16 bytes a load, and keeps nothing.

namespace kvarium {

struct alignas(16) Vector16 {
  uint32 words[4];
};

/// Sixteen bytes that are read once: past the first-level cache, first to leave the second.
inline Vector16 load_once(const Vector16* address) {
  Vector16 vector;
  asm("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
      : "=r"(vector.words[0]), "=r"(vector.words[1]), "=r"(vector.words[2]), "=r"(vector.words[3])
      : "l"(address));
  return vector;
}

inline uint32 fold(const Vector16& vector) {
  return vector.words[0] ^ vector.words[1] ^ vector.words[2] ^ vector.words[3];
}

/// A mixing step of splitmix64: contents that no memory system compresses.
inline uint64 random_word(uint64 index) {
  uint64 word = (index + 1) * 0x9E3779B97F4A7C15ULL;
  word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9ULL;
  return word ^ (word >> 27);
}

}  // namespace kvarium

extern "C" __global__ void __launch_bounds__(kvarium::variant::threads)
    stream_read(const void* data, unsigned long long num_vectors, unsigned int* sink) {
  using namespace kvarium;
  const Vector16* vectors = static_cast<const Vector16*>(data);
  const uint64 step = uint64{gridDim.x} * variant::threads;
  uint32 folded = 0;
  uint64 i = uint64{blockIdx.x} * variant::threads + threadIdx.x;
  for (; i + (variant::loads - 1) * step < num_vectors; i += variant::loads * step) {
    Vector16 loaded[variant::loads];
#pragma unroll
    for (int load = 0; load < variant::loads; ++load) loaded[load] = load_once(vectors + i + load * step);
#pragma unroll
    for (int load = 0; load < variant::loads; ++load) folded ^= fold(loaded[load]);
  }
  for (; i < num_vectors; i += step) folded ^= fold(load_once(vectors + i));
  // Never true of random contents, and the compiler cannot know it.
  if (folded == 0x5EED5EEDU) *sink = folded;
}

extern "C" __global__ void __launch_bounds__(kvarium::variant::threads)
    fill_random(void* data, unsigned long long num_words) {
  using namespace kvarium;
  const uint64 step = uint64{gridDim.x} * variant::threads;
  for (uint64 i = uint64{blockIdx.x} * variant::threads + threadIdx.x; i < num_words; i += step) {
    static_cast<uint64*>(data)[i] = random_word(i);
  }
}

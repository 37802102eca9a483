#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/registry.hpp"

namespace kvarium {

/// One way to read memory as fast as it goes: the yardstick of bandwidth-bound kernels.
class MemoryReader {
 public:
  virtual ~MemoryReader() = default;
  /// One line on how it reads.
  virtual std::string description() const = 0;
  /// Reads all `bytes` (a multiple of 4096) at `data` (64-byte aligned) on all cores; the folded value keeps the reads
  /// alive.
  virtual std::uint64_t read(const std::byte* data, std::size_t bytes) const = 0;
};

/// Readers of this build: plain, unrolled vector, prefetching.
const Registry<MemoryReader>& memory_readers();

}  // namespace kvarium

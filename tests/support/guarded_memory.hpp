#pragma once

#include <cstddef>
#include <span>

namespace kvarium::test {

/// A copy of some bytes that ends where the address space does: reading one byte past it ends the process.
class GuardedMemory {
 public:
  explicit GuardedMemory(std::span<const std::byte> bytes);
  ~GuardedMemory();
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;

  std::byte* data() const { return data_; }

 private:
  std::byte* mapping_ = nullptr;
  std::byte* data_ = nullptr;
  std::size_t mapped_bytes_ = 0;
};

}  // namespace kvarium::test

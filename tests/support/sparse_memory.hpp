#pragma once

#include <cstddef>

namespace kvarium::test {

/// A huge address range of which only touched pages take memory; untouched ones read as zero.
class SparseMemory {
 public:
  explicit SparseMemory(std::size_t bytes);
  ~SparseMemory();
  SparseMemory(const SparseMemory&) = delete;
  SparseMemory& operator=(const SparseMemory&) = delete;

  std::byte* data() const { return data_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace kvarium::test

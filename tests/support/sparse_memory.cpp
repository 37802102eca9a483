#include "tests/support/sparse_memory.hpp"

#include <sys/mman.h>

#include <stdexcept>

namespace kvarium::test {

SparseMemory::SparseMemory(std::size_t bytes) : bytes_(bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("cannot reserve a sparse address range");
  data_ = static_cast<std::byte*>(memory);
}

SparseMemory::~SparseMemory() { munmap(data_, bytes_); }

}  // namespace kvarium::test

#include "tests/support/guarded_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>

namespace kvarium::test {

GuardedMemory::GuardedMemory(std::span<const std::byte> bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t readable = (bytes.size() + page - 1) / page * page;
  mapped_bytes_ = readable + page;
  void* memory = mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("cannot map guarded memory");
  mapping_ = static_cast<std::byte*>(memory);
  if (mprotect(mapping_ + readable, page, PROT_NONE) != 0) throw std::runtime_error("cannot guard a page");
  data_ = mapping_ + readable - bytes.size();
  std::copy(bytes.begin(), bytes.end(), data_);
}

GuardedMemory::~GuardedMemory() { munmap(mapping_, mapped_bytes_); }

}  // namespace kvarium::test

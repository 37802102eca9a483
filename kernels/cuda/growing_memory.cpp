#include "kernels/cuda/growing_memory.hpp"

#include <algorithm>
#include <exception>

#include "kernels/cuda/device_scope.hpp"

namespace kvarium {

GrowingMemory::~GrowingMemory() {
  if (blocks_.empty()) return;
  try {
    const DeviceScope scope(device_);
    const RelaxedCapture relaxed;
    blocks_.clear();
  } catch (const std::exception&) {
    // At the end of the process the driver may be gone already; nothing is left to free then.
  }
}

std::size_t GrowingMemory::size_bytes() const {
  const std::lock_guard lock(mutex_);
  return blocks_.empty() ? 0 : blocks_.back().size_bytes();
}

void* GrowingMemory::reserve(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  const std::size_t size = blocks_.empty() ? 0 : blocks_.back().size_bytes();
  if (bytes > size) {
    const RelaxedCapture relaxed;
    // Doubling bounds what outgrown blocks hold by what the last one does.
    blocks_.emplace_back(std::max(bytes, 2 * size));
  }
  return blocks_.empty() ? nullptr : blocks_.back().data();
}

}  // namespace kvarium

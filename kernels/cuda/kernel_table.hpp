#pragma once

#include <map>
#include <mutex>
#include <shared_mutex>
#include <utility>

#include "kernels/cuda/context.hpp"

namespace kvarium {

/// Loaded kernels by what they were compiled from, for each CUDA context: made on first use, then only looked up, in
/// well below a microsecond. Thread-safe. `Key` is ordered, `Kernels` are handles.
template <class Key, class Kernels>
class KernelTable {
 public:
  /// The kernels of `key` in this thread's context; `make()` where they are not there yet.
  /// Errors: NotConfigured without a device, and those of `make`.
  template <class Make>
  Kernels get(const Key& key, const Make& make) {
    const std::pair<void*, Key> entry{ensure_context(), key};
    {
      const std::shared_lock lock(mutex_);
      if (const auto found = known_.find(entry); found != known_.end()) return found->second;
    }
    const Kernels made = make();
    const std::unique_lock lock(mutex_);
    return known_.emplace(entry, made).first->second;
  }

 private:
  std::shared_mutex mutex_;
  std::map<std::pair<void*, Key>, Kernels> known_;
};

}  // namespace kvarium

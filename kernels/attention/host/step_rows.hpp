#pragma once

#include <cstddef>
#include <cstdint>

namespace kvarium::host {

/// Rows of K or V that a step visits, and the memory to ask for meanwhile.
struct StepRows {
  const std::byte* const* rows = nullptr;  ///< [count] addresses of the tokens' first elements
  const std::byte* const* near =
      nullptr;  ///< [count] memory of the phase after this one, wanted in the first-level cache
  const std::byte* const* far = nullptr;  ///< [count] memory of the same tensor a quarter of a step further on
  std::ptrdiff_t row_bytes = 0;           ///< to ask for with each token
  int count = 0;
};

/// Asks for bytes [first, last) of what token `index` has ahead: always for the next phase, and late in a step for the
/// first rows of the next step, into the second-level cache. A core waits for 16 first-level lines at most, and the
/// hardware's own prefetcher, which looks further, begins anew at every page of 4 KiB, about as often as a KV block
/// ends. Inlined, or the compiler drops the calls of a function that changes nothing.
[[gnu::always_inline]] inline void ask_ahead(const StepRows& step, std::int64_t index, std::ptrdiff_t first,
                                             std::ptrdiff_t last) {
  for (std::ptrdiff_t byte = first; byte < last; byte += 64) __builtin_prefetch(step.near[index] + byte, 0, 3);
  if (index < step.count - step.count / 4) return;
  for (std::ptrdiff_t byte = first; byte < last; byte += 64) __builtin_prefetch(step.far[index] + byte, 0, 2);
}

}  // namespace kvarium::host

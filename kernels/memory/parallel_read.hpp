#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>

#include "core/paged_kv_cache.hpp"

namespace kvarium {

/// Splits `bytes` in stretches of 64 KiB over all cores and adds up what `read_stretch(data, bytes)` returns for each.
template <class ReadStretch>
std::uint64_t read_in_stretches(const char* label, const std::byte* data, std::size_t bytes,
                                const ReadStretch& read_stretch) {
  using Policy = Kokkos::RangePolicy<HostExecution, Kokkos::IndexType<std::int64_t>>;
  constexpr std::size_t stretch = 64 * 1024;
  const auto count = static_cast<std::int64_t>((bytes + stretch - 1) / stretch);
  std::uint64_t folded = 0;
  Kokkos::parallel_reduce(
      label, Policy(HostExecution(), 0, count),
      [&](std::int64_t index, std::uint64_t& sum) {
        const std::size_t first = static_cast<std::size_t>(index) * stretch;
        sum += read_stretch(data + first, bytes - first < stretch ? bytes - first : stretch);
      },
      folded);
  return folded;
}

}  // namespace kvarium

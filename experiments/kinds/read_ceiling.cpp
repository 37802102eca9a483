#include "experiments/kinds/read_ceiling.hpp"

#include <algorithm>
#include <cstring>

#include "core/check.hpp"
#include "kernels/memory/memory_reader.hpp"

namespace kvarium {
namespace {

constexpr std::size_t ceiling_bytes = std::size_t{1} << 30;

/// Contents that no memory system compresses or merges. Parallel, because it is 1 GiB.
void fill_random(const ByteView& memory) {
  using Policy = Kokkos::RangePolicy<HostExecution, Kokkos::IndexType<std::int64_t>>;
  constexpr std::int64_t stretch = 1 << 16;
  const HostExecution execution;
  Kokkos::parallel_for("kvarium::ReadCeiling::fill",
                       Policy(execution, 0, static_cast<std::int64_t>(memory.extent(0)) / stretch),
                       [&](std::int64_t index) {
                         std::uint64_t state = static_cast<std::uint64_t>(index) * 0x9E3779B97F4A7C15ULL + 1;
                         for (std::int64_t byte = index * stretch; byte < (index + 1) * stretch; byte += 8) {
                           // A multiplicative congruential generator is enough here and as fast as memory.
                           state = state * 6364136223846793005ULL + 1442695040888963407ULL;
                           std::memcpy(memory.data() + byte, &state, 8);
                         }
                       });
  execution.fence();
}

}  // namespace

ReadCeiling::ReadCeiling() : memory_(zeroed_bytes("kvarium::ReadCeiling::memory", ceiling_bytes)) {
  fill_random(memory_);
}

std::vector<TimedWork> ReadCeiling::works() const {
  std::vector<TimedWork> works;
  for (const std::string& name : memory_readers().names()) {
    const MemoryReader& reader = memory_readers().at(name);
    works.push_back({name, static_cast<double>(ceiling_bytes), timed_by_host([&reader, memory = memory_](std::int64_t) {
                       [[maybe_unused]] volatile std::uint64_t kept = reader.read(memory.data(), memory.extent(0));
                     })});
  }
  return works;
}

const TimedSeries& fastest(const std::vector<TimedSeries>& readers) {
  KVARIUM_EXPECT(!readers.empty());
  return *std::max_element(readers.begin(), readers.end(), [](const TimedSeries& left, const TimedSeries& right) {
    return left.bytes_per_second() < right.bytes_per_second();
  });
}

}  // namespace kvarium

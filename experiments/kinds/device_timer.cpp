#include "experiments/kinds/device_timer.hpp"

#include <cstdint>

#include "kernels/memory/device_reader.hpp"

namespace kvarium {
namespace {

/// Twice the largest second-level cache in use today (B200: 126 MB).
constexpr std::size_t scratch_bytes = std::size_t{256} << 20;
/// What one run must read for its own first bytes to have left the caches when it begins anew.
constexpr std::int64_t self_cooling_bytes = 4 * static_cast<std::int64_t>(scratch_bytes);

}  // namespace

Cooling cooling_of(std::int64_t bytes, std::int64_t num_places) {
  const bool is_enough =
      num_places > 1 ? bytes >= static_cast<std::int64_t>(scratch_bytes) : bytes >= self_cooling_bytes;
  return is_enough ? Cooling::by_rotation : Cooling::by_scratch;
}

DeviceTimer::DeviceTimer() : scratch_(scratch_bytes), sink_(sizeof(std::uint32_t)) {
  fill_random_on_device(scratch_.data(), scratch_bytes, stream());
}

double DeviceTimer::seconds(const std::function<void(std::int64_t run)>& work, std::int64_t sample, Cooling cooling) {
  if (cooling == Cooling::by_rotation) {
    work(2 * sample);
  } else {
    // Read, not written: lines left dirty would be written back in the time of the work.
    device_readers().front().read(scratch_.data(), scratch_bytes, sink_.data(), stream());
  }
  start_.record(stream());
  work(2 * sample + 1);
  end_.record(stream());
  end_.synchronize();
  return static_cast<double>(end_.milliseconds_since(start_)) / 1000;
}

}  // namespace kvarium

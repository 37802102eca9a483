#include "experiments/kinds/device_timer.hpp"

#include <cstdint>

#include "kernels/memory/device_reader.hpp"

namespace kvarium {
namespace {

/// Twice the largest second-level cache in use today (B200: 126 MB).
constexpr std::size_t scratch_bytes = std::size_t{256} << 20;

}  // namespace

DeviceTimer::DeviceTimer() : scratch_(scratch_bytes), sink_(sizeof(std::uint32_t)) {
  fill_random_on_device(scratch_.data(), scratch_bytes, stream());
}

double DeviceTimer::seconds(const std::function<void()>& work) {
  // Read, not written: lines left dirty would be written back in the time of the work.
  device_readers().front().read(scratch_.data(), scratch_bytes, sink_.data(), stream());
  start_.record(stream());
  work();
  end_.record(stream());
  end_.synchronize();
  return static_cast<double>(end_.milliseconds_since(start_)) / 1000;
}

}  // namespace kvarium

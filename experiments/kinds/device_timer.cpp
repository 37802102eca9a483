#include "experiments/kinds/device_timer.hpp"

namespace kvarium {
namespace {

/// Twice the largest second-level cache in use today (B200: 126 MB).
constexpr std::size_t scratch_bytes = std::size_t{256} << 20;

}  // namespace

DeviceTimer::DeviceTimer() : scratch_(scratch_bytes) {}

double DeviceTimer::seconds(const std::function<void()>& work) {
  fill_on_device(scratch_.data(), 0, scratch_bytes, stream());
  start_.record(stream());
  work();
  end_.record(stream());
  end_.synchronize();
  return static_cast<double>(end_.milliseconds_since(start_)) / 1000;
}

}  // namespace kvarium

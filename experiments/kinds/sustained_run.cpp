#include "experiments/kinds/sustained_run.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <thread>
#include <vector>

#include "kernels/cuda/device_monitor.hpp"

namespace kvarium {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Clock and energy as they were read while the device worked.
class MonitorLog {
 public:
  void read() {
    if (const auto clock = monitor_.multiprocessor_clock()) clocks_.push_back(*clock);
    const auto energy = monitor_.energy();
    if (!energy || (!energies_.empty() && energies_.back() == *energy)) return;
    energies_.push_back(*energy);
    times_.push_back(now());
  }

  double clock() const {
    if (clocks_.empty()) return unknown;
    std::vector<double> sorted = clocks_;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }

  /// The first value may be any age, so it counts from the first update on.
  double power() const {
    if (energies_.size() < 3) return unknown;
    return (energies_.back() - energies_[1]) / (times_.back() - times_[1]);
  }

 private:
  DeviceMonitor monitor_;
  std::vector<double> clocks_, energies_, times_;
};

/// Ends a thread also when launches throw.
struct JoinAtEnd {
  std::atomic<bool>& is_over;
  std::thread& thread;

  void now() const {
    is_over = true;
    if (thread.joinable()) thread.join();
  }
  ~JoinAtEnd() { now(); }
};

}  // namespace

SustainedRun run_sustained(const CudaStream& stream, const std::function<void(std::int64_t run)>& launch,
                           double expected_duration, double seconds) {
  constexpr double most_runs = 1e6;
  const auto runs = static_cast<std::int64_t>(std::clamp(seconds / expected_duration, 10.0, most_runs));
  MonitorLog log;
  std::atomic<bool> is_over = false;
  // Beside the launches: the driver queues only so many, and takes the next ones as others end.
  std::thread reader([&] {
    for (; !is_over; std::this_thread::sleep_for(std::chrono::milliseconds(2))) log.read();
  });
  const JoinAtEnd join{is_over, reader};
  CudaEvent start, end;
  start.record(stream.handle());
  for (std::int64_t run = 0; run < runs; ++run) launch(run);
  end.record(stream.handle());
  end.synchronize();
  join.now();
  const double duration = static_cast<double>(end.milliseconds_since(start)) / 1000 / static_cast<double>(runs);
  return {duration, log.clock(), log.power()};
}

}  // namespace kvarium

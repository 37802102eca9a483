#include "experiments/kinds/side_by_side.hpp"

#include <algorithm>
#include <thread>

#include "core/check.hpp"

namespace kvarium {
namespace {

/// A stream never runs dry while the host is busy with another one's launches.
constexpr std::size_t runs_in_flight = 8;
constexpr std::size_t fewest_runs = 4;

/// One work's stream, with an event behind each run.
class BusyStream {
 public:
  BusyStream(const StreamedWork& work, const CudaEvent& origin) : work_(work) { origin.make_wait(handle()); }

  std::size_t num_done() {
    while (done_ < ends_.size() && ends_[done_].has_happened()) ++done_;
    return done_;
  }

  /// Puts up to `most_runs` on the stream where it could soon run dry; whether it put any. Bounded, since a device may
  /// do short runs as fast as the host launches them.
  bool feed(std::size_t most_runs) {
    std::size_t fed = 0;
    for (; fed < most_runs && ends_.size() < num_done() + runs_in_flight; ++fed) {
      work_.launch(static_cast<std::int64_t>(ends_.size()));
      ends_.emplace_back().record(handle());
    }
    return fed > 0;
  }

  /// Seconds from `origin` to the end of each run; waits for them.
  std::vector<double> ends_since(const CudaEvent& origin) {
    std::vector<double> seconds;
    for (CudaEvent& end : ends_) {
      end.synchronize();
      seconds.push_back(static_cast<double>(end.milliseconds_since(origin)) / 1000);
    }
    return seconds;
  }

 private:
  void* handle() const { return work_.stream->handle(); }

  const StreamedWork& work_;
  std::vector<CudaEvent> ends_;
  std::size_t done_ = 0;
};

bool all_have_enough(std::vector<BusyStream>& streams, std::int64_t num_runs) {
  return streams.front().num_done() >= static_cast<std::size_t>(num_runs) &&
         std::all_of(streams.begin(), streams.end(),
                     [](BusyStream& stream) { return stream.num_done() >= fewest_runs; });
}

/// A run of the first work may be many launches, during which the others must not run dry: they are filled up in
/// between.
void keep_busy(std::vector<BusyStream>& streams, std::int64_t num_runs) {
  while (!all_have_enough(streams, num_runs)) {
    bool has_fed = streams.front().feed(1);
    for (std::size_t other = 1; other < streams.size(); ++other) has_fed |= streams[other].feed(runs_in_flight);
    if (!has_fed) std::this_thread::yield();
  }
}

}  // namespace

std::vector<TimedSeries> run_side_by_side(const std::vector<StreamedWork>& works, std::int64_t num_runs) {
  CudaEvent origin;
  origin.record(works.front().stream->handle());
  std::vector<BusyStream> streams;
  for (const StreamedWork& work : works) streams.emplace_back(work, origin);
  keep_busy(streams, num_runs);
  std::vector<std::vector<double>> ends;
  for (BusyStream& stream : streams) ends.push_back(stream.ends_since(origin));
  std::vector<TimedSeries> all;
  for (std::size_t i = 0; i < works.size(); ++i) {
    all.push_back({works[i].name, works[i].bytes, shared_durations(ends, i)});
    KVARIUM_VALIDATE(!all.back().seconds.empty(), works[i].name,
                     ": no run lay within the time of the work beside it; take batches that last about as long");
  }
  return all;
}

std::vector<double> shared_durations(const std::vector<std::vector<double>>& ends, std::size_t which) {
  double begin = ends.front().front();
  double end = ends.front().back();
  for (const std::vector<double>& stream : ends) {
    begin = std::max(begin, stream.front());
    end = std::min(end, stream.back());
  }
  const std::vector<double>& own = ends[which];
  std::vector<double> durations;
  for (std::size_t run = 1; run < own.size(); ++run) {
    if (own[run - 1] >= begin && own[run] <= end) durations.push_back(own[run] - own[run - 1]);
  }
  return durations;
}

}  // namespace kvarium

#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace kvarium {

/// What a progress line says.
struct ProgressFigures {
  std::int64_t num_points = 0;
  /// Points finished, those of earlier runs included.
  std::int64_t num_finished = 0;
  /// Of those, points that are in the archive and that a kill no longer loses.
  std::int64_t num_saved = 0;
  /// Points finished since the start, the running one in part.
  double finished_here = 0;
  double elapsed_seconds = 0;
};

/// "12/36 points (10 saved), 3.1 points/s, 0:08 left" (or points/min); without rate while nothing is finished, without
/// the saved ones when that is all of them.
std::string progress_text(const ProgressFigures& figures);

/// Tells how far a run is: one bar that is drawn again and again on a terminal, plain lines now and then otherwise.
class Progress {
 public:
  /// `num_finished`: points of earlier runs. `stream`: usually stderr.
  Progress(std::int64_t num_points, std::int64_t num_finished, std::FILE* stream);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// A point starts; `label` is shown beside the bar.
  void begin_point(const std::string& label);
  /// Share of the running point that is done, 0 to 1.
  void update(double share);
  /// The running point has finished.
  void end_point();
  /// All finished points are in the archive.
  void mark_saved();
  /// A line of its own.
  void say(const std::string& line);

 private:
  using Clock = std::chrono::steady_clock;

  void print(const std::string& text);
  void show(double share);
  void draw_bar(const std::string& text);
  void clear_bar();

  std::FILE* stream_;
  bool is_terminal_;
  ProgressFigures figures_;
  std::string label_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_shown_;
};

}  // namespace kvarium

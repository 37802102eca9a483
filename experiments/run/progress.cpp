#include "experiments/run/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace kvarium {

namespace {

constexpr auto bar_interval = std::chrono::milliseconds(100);
constexpr auto line_interval = std::chrono::seconds(5);
constexpr int bar_width = 24;

int terminal_width(std::FILE* stream) {
  winsize size{};
  return ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string minutes_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::ceil(seconds));
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

std::string rate_text(double rate) {
  if (rate >= 100) return fmt::format("{:.0f} points/s", rate);
  return rate >= 1 ? fmt::format("{:.2g} points/s", rate) : fmt::format("{:.2g} points/min", 60 * rate);
}

}  // namespace

std::string progress_text(const ProgressFigures& figures) {
  std::string text = fmt::format("{}/{} points", figures.num_finished, figures.num_points);
  if (figures.num_saved < figures.num_finished) text += fmt::format(" ({} saved)", figures.num_saved);
  if (figures.finished_here <= 0 || figures.elapsed_seconds <= 0) return text;
  const double rate = figures.finished_here / figures.elapsed_seconds;
  const double in_part = figures.finished_here - std::floor(figures.finished_here);
  const double left = static_cast<double>(figures.num_points - figures.num_finished) - in_part;
  return text + fmt::format(", {}, {} left", rate_text(rate), minutes_text(std::max(left, 0.0) / rate));
}

Progress::Progress(std::int64_t num_points, std::int64_t num_finished, std::FILE* stream)
    : stream_(stream), is_terminal_(isatty(fileno(stream)) == 1), last_shown_(Clock::now()) {
  figures_.num_points = num_points;
  figures_.num_finished = figures_.num_saved = num_finished;
}

Progress::~Progress() { clear_bar(); }

void Progress::begin_point(const std::string& label) {
  label_ = label;
  update(0);
}

void Progress::update(double share) {
  const Clock::time_point now = Clock::now();
  if (now - last_shown_ < (is_terminal_ ? Clock::duration(bar_interval) : Clock::duration(line_interval))) return;
  last_shown_ = now;
  show(share);
}

void Progress::end_point() {
  ++figures_.num_finished;
  figures_.finished_here += 1;
  update(0);
}

void Progress::mark_saved() {
  if (figures_.num_saved == figures_.num_finished) return;
  figures_.num_saved = figures_.num_finished;
  if (figures_.num_saved == figures_.num_points) show(0);
}

void Progress::say(const std::string& line) {
  clear_bar();
  print(line + "\n");
}

/// A stream that takes no more ends no run.
void Progress::print(const std::string& text) { std::fputs(text.c_str(), stream_); }

void Progress::show(double share) {
  ProgressFigures figures = figures_;
  figures.finished_here += share;
  figures.elapsed_seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  if (is_terminal_) {
    draw_bar(progress_text(figures));
  } else {
    print(progress_text(figures) + "\n");
  }
  std::fflush(stream_);
}

void Progress::draw_bar(const std::string& text) {
  const double done = static_cast<double>(figures_.num_finished) / static_cast<double>(figures_.num_points);
  const auto filled = static_cast<std::size_t>(std::lround(done * bar_width));
  std::string line =
      fmt::format("[{}{}] {}  {}", std::string(filled, '#'), std::string(bar_width - filled, '.'), text, label_);
  // A line as wide as the terminal would wrap and leave its copies behind.
  line.resize(std::min<std::size_t>(line.size(), static_cast<std::size_t>(terminal_width(stream_) - 1)));
  print("\r\x1b[K" + line);
}

void Progress::clear_bar() {
  if (is_terminal_) print("\r\x1b[K");
  std::fflush(stream_);
}

}  // namespace kvarium

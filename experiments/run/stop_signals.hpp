#pragma once

#include <array>
#include <csignal>
#include <string>

namespace kvarium {

/// While it lives, the first SIGINT or SIGTERM asks the run to stop instead of ending the program; a second one ends
/// it. One at a time.
class StopSignals {
 public:
  StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  ~StopSignals();

  /// Whether a signal came.
  bool is_requested() const;
  /// "SIGINT", "SIGTERM", or "" when none came.
  std::string name() const;

 private:
  std::array<struct sigaction, 2> previous_{};
};

}  // namespace kvarium

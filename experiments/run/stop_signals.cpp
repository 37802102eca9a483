#include "experiments/run/stop_signals.hpp"

namespace kvarium {

namespace {

volatile std::sig_atomic_t received = 0;

void note(int signal) { received = signal; }

/// Returns what handled the signal before.
struct sigaction install(int signal) {
  struct sigaction action {};
  action.sa_handler = note;
  // The handler is for the first signal alone.
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigemptyset(&action.sa_mask);
  struct sigaction previous {};
  sigaction(signal, &action, &previous);
  return previous;
}

}  // namespace

StopSignals::StopSignals() {
  received = 0;
  previous_ = {install(SIGINT), install(SIGTERM)};
}

StopSignals::~StopSignals() {
  sigaction(SIGINT, &previous_[0], nullptr);
  sigaction(SIGTERM, &previous_[1], nullptr);
}

bool StopSignals::is_requested() const { return received != 0; }

std::string StopSignals::name() const {
  if (received == 0) return "";
  return received == SIGTERM ? "SIGTERM" : "SIGINT";
}

}  // namespace kvarium

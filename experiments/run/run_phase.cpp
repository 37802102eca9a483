#include "experiments/run/run_phase.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

namespace kvarium {

namespace {

struct SharedState {
  std::uint8_t phase;
  std::uint64_t saved_points;
};
static_assert(sizeof(SharedState) == 16);

/// The file's bytes, shared with whoever watches; null without one.
volatile SharedState* shared_state() {
  static volatile SharedState* const state = []() -> volatile SharedState* {
    const char* const path = std::getenv("KVARIUM_PHASE_FILE");
    if (path == nullptr) return nullptr;
    const int descriptor = open(path, O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return nullptr;
    void* const memory = mmap(nullptr, sizeof(SharedState), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
    return memory == MAP_FAILED ? nullptr : static_cast<volatile SharedState*>(memory);
  }
  ();
  return state;
}

}  // namespace

PhaseMark::PhaseMark(RunPhase phase) {
  volatile SharedState* const shared = shared_state();
  if (shared == nullptr) return;
  previous_ = shared->phase;
  shared->phase = static_cast<std::uint8_t>(phase);
}

PhaseMark::~PhaseMark() {
  if (volatile SharedState* const shared = shared_state()) shared->phase = previous_;
}

void note_saved_points(std::uint64_t points) {
  if (volatile SharedState* const shared = shared_state()) shared->saved_points = points;
}

}  // namespace kvarium

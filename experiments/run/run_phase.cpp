#include "experiments/run/run_phase.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

namespace kvarium {

namespace {

/// The file's first byte, shared with whoever watches; null without one.
volatile std::uint8_t* shared_phase() {
  static volatile std::uint8_t* const phase = []() -> volatile std::uint8_t* {
    const char* const path = std::getenv("KVARIUM_PHASE_FILE");
    if (path == nullptr) return nullptr;
    const int descriptor = open(path, O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return nullptr;
    void* const memory = mmap(nullptr, 1, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
    return memory == MAP_FAILED ? nullptr : static_cast<volatile std::uint8_t*>(memory);
  }();
  return phase;
}

}  // namespace

PhaseMark::PhaseMark(RunPhase phase) {
  volatile std::uint8_t* const shared = shared_phase();
  if (shared == nullptr) return;
  previous_ = *shared;
  *shared = static_cast<std::uint8_t>(phase);
}

PhaseMark::~PhaseMark() {
  if (volatile std::uint8_t* const shared = shared_phase()) *shared = previous_;
}

}  // namespace kvarium

#pragma once

#include <cstdint>

namespace kvarium {

/// What a program that keeps results is doing to its files.
enum class RunPhase : std::uint8_t { computing, create, flush, publish, merge, recover };

// What a test may watch from outside: the file of 16 bytes that KVARIUM_PHASE_FILE names. Nothing happens without that
// variable.

/// Keeps the phase in the file's first byte while the object lives.
class PhaseMark {
 public:
  explicit PhaseMark(RunPhase phase);
  PhaseMark(const PhaseMark&) = delete;
  PhaseMark& operator=(const PhaseMark&) = delete;
  ~PhaseMark();

 private:
  std::uint8_t previous_ = 0;
};

/// Keeps the number of finished points that a kill no longer loses in the file's last eight bytes.
void note_saved_points(std::uint64_t points);

}  // namespace kvarium

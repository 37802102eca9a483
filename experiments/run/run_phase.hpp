#pragma once

#include <cstdint>

namespace kvarium {

/// What a program that keeps results is doing to its files.
enum class RunPhase : std::uint8_t { computing, create, flush, publish, merge, recover };

/// Tells a test in which phase the process is while the object lives: the first byte of the file that KVARIUM_PHASE_FILE
/// names then holds the phase. Costs nothing without that variable.
class PhaseMark {
 public:
  explicit PhaseMark(RunPhase phase);
  PhaseMark(const PhaseMark&) = delete;
  PhaseMark& operator=(const PhaseMark&) = delete;
  ~PhaseMark();

 private:
  std::uint8_t previous_ = 0;
};

}  // namespace kvarium

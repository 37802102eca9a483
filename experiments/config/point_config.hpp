#pragma once

#include <cstdint>
#include <string>

#include "experiments/config/base_config.hpp"

namespace kvarium {

/// How often a point is repeated.
struct ReplicatesConfig {
  std::int64_t count = 1;     ///< trials, with a stop rule at most
  double interval_width = 0;  ///< above 0: trials end once the interval of a point's share is as narrow; see StopRule
  std::int64_t looks = 10;    ///< how often that is looked at, at fixed numbers of trials

  bool operator==(const ReplicatesConfig&) const = default;
};

/// Trials that show what the measurement itself does.
struct ControlsConfig {
  bool golden = true;                 ///< run once without a fault and compare with it
  std::int64_t dummy_injections = 0;  ///< trials that inject nothing and must be clean
  std::int64_t noise_repeats = 0;     ///< fault-free repeats that show differences from run to run

  bool operator==(const ControlsConfig&) const = default;
};

/// When a measurement has enough samples.
struct LimitsConfig {
  double min_time_seconds = 0.2;   ///< seconds of samples a timed point takes at least
  std::int64_t max_samples = 200;  ///< samples a timed point takes at most
  double sustained_seconds = 0;    ///< how long a GPU then runs without a pause; 0: not at all
  /// Trials of a point whose rows an archive holds; later ones are counted and forgotten.
  std::int64_t max_recorded_trials = 100000;

  bool operator==(const LimitsConfig&) const = default;
};

/// What is kept beside summaries.
struct RecordConfig {
  bool raw_samples = false;  ///< keep each timing sample, not only its statistics
  bool throughput = false;   ///< fault_coverage: also time the checksum; fault_impact: the trials

  bool operator==(const RecordConfig&) const = default;
};

/// One combination of a sweep's values with everything resolved: what a kind of experiment is given.
struct PointConfig {
  std::string kind;        ///< a name of experiment_kinds()
  std::uint64_t seed = 1;  ///< at most 2^53 - 1
  Device device = Device::cpu;
  BaseConfig base;
  ReplicatesConfig replicates;
  ControlsConfig controls;
  LimitsConfig limits;
  RecordConfig record;
  /// Folder that paths in `base` are relative to; where the YAML file lies, so no part of any identity.
  std::string folder;

  bool operator==(const PointConfig&) const = default;
};

}  // namespace kvarium

#pragma once

#include <string>
#include <vector>

#include "experiments/config/point_config.hpp"
#include "experiments/config/sweep.hpp"

namespace kvarium {

/// The one schema of experiment files this version reads.
inline constexpr int experiment_schema = 1;

/// An experiment as a file and its overrides describe it, every key resolved.
struct ExperimentConfig {
  int schema = experiment_schema;
  std::string name;  ///< letters, digits, '_' and '-'; names the default archive
  /// What holds at every point that no axis or row gives another value.
  PointConfig point;
  /// The points, as variations of `point`.
  Sweep sweep;

  std::string file;                    ///< where it was read from, as given
  std::string yaml_text;               ///< the file's text
  std::vector<std::string> overrides;  ///< "key=value" of the command line, in order
};

}  // namespace kvarium

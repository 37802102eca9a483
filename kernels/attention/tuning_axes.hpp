#pragma once

#include <string>
#include <vector>

namespace kvarium {

/// Values of each axis that a tuner tries with a family, at every combination that is not refused; an axis that the
/// family ignores has one.
struct TuningAxes {
  std::vector<int> partition_sizes{512};
  std::vector<int> block_ns{64};
  std::vector<int> stages{2};
  std::vector<int> warps{4};
  std::vector<std::string> combines{"kernel"};
};

}  // namespace kvarium

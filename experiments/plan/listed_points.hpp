#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/config/experiment_config.hpp"

namespace kvarium {

/// Rows of `sweep.list` compared with the other points of an experiment.
class ListedPoints {
 public:
  /// `kept`: see kept_combinations(); nothing where all combinations are points.
  ListedPoints(const ExperimentConfig& experiment, std::optional<std::vector<std::int64_t>> kept);

  /// What a row repeats, in words ("a point of grid and zip", "row 2 again"), or "". Rows are to be asked in order.
  std::string twin_of(std::size_t row);

 private:
  bool is_in_product(const std::vector<FieldValue>& values) const;

  const Sweep& sweep_;
  std::optional<std::vector<std::int64_t>> kept_;
  std::vector<std::string> paths_;
  std::vector<FieldValue> base_values_;                                      ///< of paths_
  std::vector<std::map<std::vector<FieldValue>, std::size_t>> axis_values_;  ///< position of values, by axis
  std::map<std::vector<FieldValue>, std::size_t> earlier_rows_;
};

}  // namespace kvarium

#pragma once

#include <map>
#include <string>
#include <vector>

#include "experiments/config/field_table.hpp"
#include "experiments/yaml/error_list.hpp"

namespace kvarium {

/// An experiment while it is read: the values so far, where each was written, and what is wrong.
struct ExperimentReading {
  ExperimentConfig experiment;
  /// Members of `experiment`, in the order of experiment_fields().
  std::vector<FieldPointer> members = field_pointers(experiment);
  /// Where a key (path of experiment_fields()) was given a value.
  std::map<std::string, Place> places;
  /// Where a path into `base` was given its axis, or first stands in a row of the list.
  std::map<std::string, Place> swept;
  /// Where each rule of `sweep.exclude` and each row of `sweep.list` stands.
  std::vector<Place> exclusion_places;
  std::vector<Place> row_places;
  Place sample_place;  ///< of `sweep.sample`
  Place document;      ///< start of the file, for what is missing
  ErrorList errors;

  ExperimentReading() = default;
  // Members point into the experiment.
  ExperimentReading(const ExperimentReading&) = delete;
  ExperimentReading& operator=(const ExperimentReading&) = delete;
};

}  // namespace kvarium

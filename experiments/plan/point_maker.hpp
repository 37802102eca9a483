#pragma once

#include <vector>

#include "experiments/config/field_table.hpp"

namespace kvarium {

/// Makes the points of a plan one after another in one place, so that a point costs what differs from the one before.
class PointMaker {
 public:
  /// `start` holds what no point changes; `fields` are the keys that points differ in.
  PointMaker(const PointConfig& start, const std::vector<const Field*>& fields);
  // Members point into the configuration.
  PointMaker(const PointMaker&) = delete;
  PointMaker& operator=(const PointMaker&) = delete;

  /// The point with these values of the fields, everything resolved; valid until the next one is made.
  /// Preconditions: values.size() == fields.size(); the values live as long as the maker.
  PointConfig& make(const std::vector<const FieldValue*>& values);

 private:
  BaseConfig given_;  ///< before presets are resolved
  std::vector<FieldPointer> members_;
  std::vector<const FieldValue*> last_;
  PointConfig point_;
};

}  // namespace kvarium

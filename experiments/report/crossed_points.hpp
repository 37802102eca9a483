#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/run/stored_results.hpp"

namespace kvarium {

/// A share of a point's trials, with its interval.
struct ReportedShare {
  double rate = 0, low = 0, high = 0;
  std::int64_t trials = 0;  ///< that it is a share of
};

/// The points of a plan as a table: faults down, whatever else tells points apart across.
class CrossedPoints {
 public:
  /// Labels name the model or family and every setting that is not at its default.
  explicit CrossedPoints(const Plan& plan);

  const std::vector<std::string>& faults() const { return faults_; }
  const std::vector<std::string>& others() const { return others_; }

  /// The point that stands there, or -1.
  std::int64_t point(std::size_t fault, std::size_t other) const { return points_[fault * others_.size() + other]; }

 private:
  std::vector<std::string> faults_, others_;
  std::vector<std::int64_t> points_;  ///< [faults, others]
};

/// The numbers in one point's summary and summary of times, by column; missing ones are left out.
using PointNumbers = std::map<std::string, double>;

/// Of all points, by index; empty where a point did not run.
std::vector<PointNumbers> point_numbers(const StoredResults& stored);

/// The share called `column` of a point, or nothing where it did not run or no fault applied.
std::optional<ReportedShare> share_of(const PointNumbers& numbers, const std::string& column);

/// What column `cost` comes to over some points; nothing where none holds a number.
std::optional<double> cost_of(const std::vector<const PointNumbers*>& points, const ReportedCost& cost);

}  // namespace kvarium

#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "core/registry.hpp"
#include "experiments/config/point_config.hpp"
#include "experiments/results/point_tables.hpp"

namespace kvarium {

/// What a point's run is told beside its configuration.
struct PointContext {
  /// Master seed and stimulus id: points with equal cache, batch, workload and fault draw equal numbers.
  RandomKey random;
  /// Called now and then with the share of the point that is done, 0 to 1. May be empty.
  std::function<void(double)> progress;
  /// True when the run should end early; the point is then unfinished. May be empty.
  std::function<bool()> should_stop;
  /// Something of the kind's own that it may leave for the points after this one, such as filled caches. May be null.
  std::any* kept = nullptr;
  /// Points after this one that meet the same contents and faults, can run, and have not: a kind may do their work
  /// along with this one's and leave their results in `kept`. May be empty.
  std::function<std::vector<PointConfig>()> companions;
};

/// A kind of experiment: what is done at each point, and which columns come of it.
class ExperimentKind {
 public:
  virtual ~ExperimentKind() = default;

  /// One line for `kvarium list kinds`.
  virtual std::string description() const = 0;
  /// The columns of its tables.
  virtual KindSchema schema() const = 0;

  /// Why the point cannot run here, or nothing. Such points are skipped, with the reason kept.
  virtual std::optional<std::string> refusal(const PointConfig& point) const = 0;

  /// Trials that the point has; with a stop rule, at most.
  virtual std::int64_t most_trials(const PointConfig& point) const = 0;

  /// Runs all trials of a point. Errors: any exception makes the point failed, with its text as the reason.
  virtual PointResult run(const PointConfig& point, const PointContext& context) const = 0;

  /// The tables of one trial alone (its number counted within the point), equal to the rows `run` gives it in every
  /// deterministic column.
  virtual PointResult replay(const PointConfig& point, const PointContext& context, std::int64_t trial) const = 0;
};

/// Every kind of this build, in list order.
const Registry<ExperimentKind>& experiment_kinds();

}  // namespace kvarium

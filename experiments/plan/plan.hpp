#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/config/experiment_config.hpp"
#include "experiments/config/field_table.hpp"

namespace kvarium {

/// The points of an experiment in a fixed order: every combination of its axes, the first axis slowest. Points are
/// made on demand, so a plan of millions of points is small.
class Plan {
 public:
  /// Errors: InputError when two points come out with one id.
  explicit Plan(ExperimentConfig experiment);

  const ExperimentConfig& experiment() const { return experiment_; }
  std::int64_t num_points() const { return static_cast<std::int64_t>(point_ids_.size()); }

  /// Everything of a point, resolved. Precondition: 0 <= index < num_points().
  PointConfig point(std::int64_t index) const;

  /// Ids of all points, by index; distinct.
  const std::vector<std::uint64_t>& point_ids() const { return point_ids_; }

  /// Swept keys of all axes, in order: the columns that tell points apart.
  std::vector<const Field*> swept_fields() const;

  /// Values of swept_fields() at a point.
  std::vector<FieldValue> swept_values(std::int64_t index) const;

  /// Whether some point has `variant.family: auto`.
  bool leaves_variants_open() const;

  /// Why the point cannot run: its combination is impossible or its kind refuses it. Or nothing. A variant that is left
  /// open is resolved as the run will do it, but nothing is compiled for that.
  /// Errors: InputError for an archive in the tuning folder that is damaged or none.
  std::optional<std::string> skip_reason(std::int64_t index) const;

  /// Errors: InputError where no point at all can run, with the first one's reason; those of skip_reason.
  void validate_runnable() const;

  /// SHA-256, in hexadecimal, of the sorted point ids and of how each point is run (replicates, controls, limits,
  /// record): two archives with equal fingerprints hold the same work, in whatever order.
  std::string fingerprint() const;

 private:
  /// Value of each axis at a point.
  std::vector<std::size_t> positions(std::int64_t index) const;

  ExperimentConfig experiment_;
  std::vector<std::uint64_t> point_ids_;
};

}  // namespace kvarium

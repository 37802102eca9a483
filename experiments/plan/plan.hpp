#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/config/experiment_config.hpp"
#include "experiments/config/field_table.hpp"

namespace kvarium {

/// The points of an experiment in a fixed order: the combinations of its axes, the first axis slowest, as far as
/// `exclude` and `sample` keep them; then the rows of `list` as they are written. Points are made on demand, so a plan
/// of millions of points is small.
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

  /// The keys that tell points apart, see swept_paths().
  const std::vector<const Field*>& swept_fields() const { return swept_fields_; }

  /// Where the values of swept_fields() at a point are kept; two points share a value's place where an axis does not
  /// move between them. Valid while this plan is neither changed nor gone.
  std::vector<const FieldValue*> values_at(std::int64_t index) const;

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
  void identify_points();
  std::vector<const FieldValue*> values_of_combination(std::int64_t combination) const;
  std::vector<const FieldValue*> values_of_row(const SweepRow& row) const;

  ExperimentConfig experiment_;
  std::vector<const Field*> swept_fields_;
  std::vector<FieldValue> base_values_;  ///< of swept_fields_
  /// The combinations of the axes that are points; nothing where all are.
  std::optional<std::vector<std::int64_t>> kept_;
  std::int64_t num_combinations_ = 0;
  std::vector<std::uint64_t> point_ids_;
};

}  // namespace kvarium

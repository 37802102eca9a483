#pragma once

#include "experiments/config/describe_base.hpp"
#include "experiments/config/experiment_config.hpp"
#include "experiments/yaml/yaml_scalar.hpp"

namespace kvarium {

// Descriptions of the keys beside `base`; see describe_base.hpp for what a visitor is.

/// Trials of a point that a file may ask for.
inline constexpr double most_trials = 1e9;

/// Keys of `replicates`.
template <class Visitor>
void describe_fields(Visitor& visitor, ReplicatesConfig& replicates) {
  visitor.field("count", replicates.count,
                {.description = "trials of each point", .minimum = 1, .maximum = most_trials});
  visitor.field("interval_width", replicates.interval_width,
                {.description = "above 0: faults of a point end once the exact interval of its share is as narrow",
                 .unit = "1",
                 .minimum = 0,
                 .maximum = 1});
  visitor.field("looks", replicates.looks,
                {.description = "how often that is looked at, at fixed numbers of trials that double",
                 .minimum = 1,
                 .maximum = 30});
}

/// Keys of `controls`.
template <class Visitor>
void describe_fields(Visitor& visitor, ControlsConfig& controls) {
  visitor.field("golden", controls.golden, {.description = "whether a fault-free run is compared with"});
  visitor.field("dummy_injections", controls.dummy_injections,
                {.description = "trials that inject nothing and must be clean", .minimum = 0, .maximum = most_trials});
  visitor.field("noise_repeats", controls.noise_repeats,
                {.description = "fault-free repeats that show run-to-run noise", .minimum = 0, .maximum = most_trials});
}

/// Keys of `limits`.
template <class Visitor>
void describe_fields(Visitor& visitor, LimitsConfig& limits) {
  visitor.field("min_time_seconds", limits.min_time_seconds,
                {.description = "time a timed point takes at least", .unit = "s", .minimum = 0, .maximum = 86400});
  visitor.field("max_samples", limits.max_samples,
                {.description = "samples a timed point takes at most", .minimum = 1, .maximum = most_trials});
  visitor.field("sustained_seconds", limits.sustained_seconds,
                {.description = "how long a GPU then runs the same without a pause; 0: not at all (CUDA)",
                 .unit = "s",
                 .minimum = 0,
                 .maximum = 3600});
  visitor.field("max_recorded_trials", limits.max_recorded_trials,
                {.description = "trials with faults of a point whose rows are kept; all are counted",
                 .minimum = 0,
                 .maximum = most_trials});
}

/// Keys of `record`.
template <class Visitor>
void describe_fields(Visitor& visitor, RecordConfig& record) {
  visitor.field("raw_samples", record.raw_samples, {.description = "whether each timing sample is kept"});
  visitor.field(
      "throughput", record.throughput,
      {.description = "fault_coverage: whether the checksum is also timed, once for all its faults; fault_impact: "
                      "whether trials are timed, beside attending everything in full"});
}

/// The keys that make up a point.
template <class Visitor>
void describe_fields(Visitor& visitor, PointConfig& point) {
  visitor.field("kind", point.kind, {.description = "what is done", .choices = known_kinds, .required = true});
  visitor.field("seed", point.seed,
                {.description = "master seed of all random numbers",
                 .minimum = 0,
                 .maximum = static_cast<double>(largest_exact_integer)});
  visitor.field("device", point.device, {.description = "where kernels run", .choices = known_devices});
  visitor.section("base", point.base);
  visitor.section("replicates", point.replicates);
  visitor.section("controls", point.controls);
  visitor.section("limits", point.limits);
  visitor.section("record", point.record);
}

/// Every key of a file but `sweep`, which is no plain value.
template <class Visitor>
void describe_fields(Visitor& visitor, ExperimentConfig& experiment) {
  visitor.field(
      "schema", experiment.schema,
      {.description = "version of this file's form", .rule = "1", .problem = schema_problem, .required = true});
  visitor.field("name", experiment.name,
                {.description = "name of the experiment",
                 .rule = "A-Z, a-z, 0-9, '_' and '-'",
                 .problem = name_problem,
                 .required = true});
  describe_fields(visitor, experiment.point);
}

}  // namespace kvarium

#pragma once

#include <optional>
#include <vector>

#include "experiments/kinds/sustained_run.hpp"
#include "experiments/kinds/timed_samples.hpp"
#include "experiments/results/point_tables.hpp"

namespace kvarium {

/// Columns of /timing and /timing/summary of kinds that time one kernel beside the memory readers.
std::vector<ColumnSchema> throughput_timing_columns();
std::vector<ColumnSchema> throughput_summary_columns();

/// What was timed: the kernel, and the readers in the same run.
struct Throughput {
  TimedSeries kernel;
  std::vector<TimedSeries> readers;
  /// On a GPU: the readers over as many bytes as the kernel reads. Empty elsewhere.
  std::vector<TimedSeries> same_size_readers;
  /// On a GPU, where limits.sustained_seconds is above 0: kernel and fastest same-size reader without a pause.
  std::optional<SustainedRun> sustained, sustained_read;
};

/// Runs `kernel` and the memory readers of the same device in turns. Errors: InputError when the median time of one is
/// not above 0.
Throughput measure_throughput(const TimedWork& kernel, const std::vector<TimedWork>& readers,
                              const LimitsConfig& limits);

/// Appends one row a sample to /timing.
void append_samples(Table& timing, const TimedSeries& series);

/// Appends the samples (if they are to be kept) and the summary row; `more`: of the kind's own columns behind those of
/// throughput_summary_columns.
void append_throughput(PointTables& tables, const Throughput& throughput, bool keep_samples,
                       const std::vector<Value>& more = {});

}  // namespace kvarium

#include "experiments/kinds/throughput_tables.hpp"

#include "core/check.hpp"
#include "experiments/kinds/read_ceiling.hpp"

namespace kvarium {
namespace {

void append_samples(Table& table, const TimedSeries& series) {
  std::int64_t sample = 0;
  for (double seconds : series.seconds) {
    table.append_row({series.name, sample++, seconds, series.bytes / seconds});
  }
}

}  // namespace

std::vector<ColumnSchema> throughput_timing_columns() {
  return {{"work", ColumnType::text, "", "What was timed: the kernel, or a memory reader of the same run"},
          {"sample", ColumnType::int64, "1", "Number of the run, from 0"},
          {"duration", ColumnType::float64, "s", "Time of one run"},
          {"throughput", ColumnType::float64, "byte s-1", "Bytes read in that time"}};
}

std::vector<ColumnSchema> throughput_summary_columns() {
  return {{"num_samples", ColumnType::int64, "1", "Timed runs of the kernel"},
          {"median_duration", ColumnType::float64, "s", "Median time of the kernel"},
          {"first_quartile", ColumnType::float64, "s", "A quarter of the runs took at most this long"},
          {"third_quartile", ColumnType::float64, "s", "Three quarters of the runs took at most this long"},
          {"throughput", ColumnType::float64, "byte s-1", "Bytes the kernel reads over its median time"},
          {"ceiling", ColumnType::float64, "byte s-1", "Fastest memory reader of the same run, by median"},
          {"ceiling_reader", ColumnType::text, "", "Name of that reader"},
          {"fraction_of_ceiling", ColumnType::float64, "1", "throughput over ceiling"}};
}

Throughput measure_throughput(const TimedWork& kernel, const std::vector<TimedWork>& readers,
                              const LimitsConfig& limits) {
  std::vector<TimedWork> works{kernel};
  works.insert(works.end(), readers.begin(), readers.end());
  std::vector<TimedSeries> series = time_in_turns(works, limits);
  for (const TimedSeries& one : series) {
    KVARIUM_VALIDATE(one.median() > 0, one.name, ": the clock saw no time pass in half of its ", one.seconds.size(),
                     " runs, which gives no rate; take a larger batch, or a machine with a finer clock");
  }
  Throughput throughput{series.front(), {}};
  throughput.readers.assign(series.begin() + 1, series.end());
  return throughput;
}

void append_throughput(PointTables& tables, const Throughput& throughput, bool keep_samples) {
  const TimedSeries& kernel = throughput.kernel;
  if (keep_samples) {
    append_samples(tables.timing, kernel);
    for (const TimedSeries& reader : throughput.readers) append_samples(tables.timing, reader);
  }
  const TimedSeries& best = fastest(throughput.readers);
  tables.timing_summary.append_row({static_cast<std::int64_t>(kernel.seconds.size()), kernel.median(),
                                    kernel.quantile(0.25), kernel.quantile(0.75), kernel.bytes_per_second(),
                                    best.bytes_per_second(), best.name,
                                    kernel.bytes_per_second() / best.bytes_per_second()});
}

}  // namespace kvarium

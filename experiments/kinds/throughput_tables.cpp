#include "experiments/kinds/throughput_tables.hpp"

#include <limits>

#include "core/check.hpp"
#include "experiments/kinds/read_ceiling.hpp"

namespace kvarium {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// The columns of a GPU; see throughput_summary_columns.
void append_device_values(std::vector<Value>& row, const Throughput& throughput) {
  const double kernel = throughput.kernel.bytes_per_second();
  const double read =
      throughput.same_size_readers.empty() ? unknown : fastest(throughput.same_size_readers).bytes_per_second();
  row.insert(row.end(), {read, kernel / read});
  if (!throughput.sustained) {
    row.insert(row.end(), 6, unknown);
    return;
  }
  const double bytes = throughput.kernel.bytes;
  const SustainedRun& own = *throughput.sustained;
  const SustainedRun& other = *throughput.sustained_read;
  row.insert(row.end(), {own.duration, other.duration / own.duration, own.clock, own.power, own.joules_per_byte(bytes),
                         other.joules_per_byte(bytes)});
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
          {"fraction_of_ceiling", ColumnType::float64, "1", "throughput over ceiling"},
          // What a GPU measures beside; not a number elsewhere.
          {"same_size_read", ColumnType::float64, "byte s-1",
           "Fastest memory reader over as many bytes as the kernel reads (GPU), by median"},
          {"fraction_of_same_size_read", ColumnType::float64, "1", "throughput over same_size_read"},
          {"sustained_duration", ColumnType::float64, "s", "Time of the kernel when it runs without a pause (GPU)"},
          {"fraction_of_sustained_read", ColumnType::float64, "1",
           "Time of the same-size read without a pause over sustained_duration"},
          {"sustained_clock", ColumnType::float64, "Hz", "Clock of the multiprocessors in that loop"},
          {"sustained_power", ColumnType::float64, "W", "Power of the device in that loop"},
          {"energy_per_byte", ColumnType::float64, "J byte-1", "sustained_power * sustained_duration over bytes read"},
          {"read_energy_per_byte", ColumnType::float64, "J byte-1", "The same of the same-size read"}};
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
  Throughput throughput;
  throughput.kernel = series.front();
  throughput.readers.assign(series.begin() + 1, series.end());
  return throughput;
}

void append_samples(Table& timing, const TimedSeries& series) {
  std::int64_t sample = 0;
  for (double seconds : series.seconds) {
    timing.append_row({series.name, sample++, seconds, series.bytes / seconds});
  }
}

void append_throughput(PointTables& tables, const Throughput& throughput, bool keep_samples,
                       const std::vector<Value>& more) {
  const TimedSeries& kernel = throughput.kernel;
  if (keep_samples) {
    append_samples(tables.timing, kernel);
    for (const TimedSeries& reader : throughput.readers) append_samples(tables.timing, reader);
  }
  for (const TimedSeries& reader : throughput.same_size_readers) {
    if (keep_samples) append_samples(tables.timing, reader);
  }
  const TimedSeries& best = fastest(throughput.readers);
  std::vector<Value> row{static_cast<std::int64_t>(kernel.seconds.size()),
                         kernel.median(),
                         kernel.quantile(0.25),
                         kernel.quantile(0.75),
                         kernel.bytes_per_second(),
                         best.bytes_per_second(),
                         best.name,
                         kernel.bytes_per_second() / best.bytes_per_second()};
  append_device_values(row, throughput);
  row.insert(row.end(), more.begin(), more.end());
  tables.timing_summary.append_row(row);
}

}  // namespace kvarium

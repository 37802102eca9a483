#include "experiments/kinds/coverage_counts.hpp"

#include "experiments/results/proportion.hpp"

namespace kvarium {
namespace {

std::vector<ColumnSchema> interval_columns(const std::string& name, const std::string& share) {
  return {{name + "_rate", ColumnType::float64, "1", share + ", share of applicable faults"},
          {name + "_low", ColumnType::float64, "1", "Its lower bound, Wilson, 95 %"},
          {name + "_high", ColumnType::float64, "1", "Its upper bound, Wilson, 95 %"},
          {name + "_exact_low", ColumnType::float64, "1",
           "Its lower bound, Clopper-Pearson, at the level that allows for every look of the stop rule"},
          {name + "_exact_high", ColumnType::float64, "1", "Its upper bound, likewise"}};
}

void append_intervals(std::vector<Value>& row, std::int64_t count, std::int64_t total, const StopRule& rule) {
  const Proportion wilson = wilson_interval(count, total, rule.level);
  const Proportion exact = rule.interval(count, total);
  for (const double value : {wilson.rate, wilson.low, wilson.high, exact.low, exact.high}) row.emplace_back(value);
}

}  // namespace

std::int64_t CoverageCounts::applicable() const {
  std::int64_t all = 0;
  for (const std::int64_t count : verdicts) all += count;
  return all;
}

std::vector<ColumnSchema> coverage_summary_columns() {
  std::vector<ColumnSchema> columns{{"num_faults", ColumnType::int64, "1", "Trials that tried to inject a fault"},
                                    {"applicable", ColumnType::int64, "1", "Faults that could be injected"}};
  for (const std::string& verdict : checksum_verdict_names()) {
    columns.push_back({verdict, ColumnType::int64, "1", "Applicable faults with the verdict " + verdict});
  }
  columns.push_back({"controls", ColumnType::int64, "1", "Trials that injected nothing"});
  columns.push_back({"control_alarms", ColumnType::int64, "1", "Controls that the checksum reported"});
  columns.push_back({"rechecked", ColumnType::int64, "1", "Faults whose rows were summed again in full, and agreed"});
  columns.push_back({"record_bytes", ColumnType::int64, "byte", "What the checksum keeps of one block"});
  for (ColumnSchema& column : interval_columns("detected", "Detected or repaired")) columns.push_back(column);
  for (ColumnSchema& column : interval_columns("missed", "Missed")) columns.push_back(column);
  return columns;
}

void append_coverage_summary(Table& summary, const CoverageCounts& counts, const StopRule& rule,
                             std::int64_t record_bytes) {
  std::vector<Value> row{counts.faults, counts.applicable()};
  for (const std::int64_t count : counts.verdicts) row.emplace_back(count);
  for (const std::int64_t count : {counts.controls, counts.control_alarms, counts.rechecked, record_bytes})
    row.emplace_back(count);
  append_intervals(row, counts.seen(), counts.applicable(), rule);
  append_intervals(row, counts.count(ChecksumVerdict::missed), counts.applicable(), rule);
  summary.append_row(row);
}

}  // namespace kvarium

#include "experiments/kinds/coverage_throughput.hpp"

#include <algorithm>

#include "experiments/kinds/coverage_kept.hpp"
#include "experiments/kinds/host_checksum_work.hpp"
#include "experiments/kinds/read_ceiling.hpp"
#include "experiments/kinds/throughput_tables.hpp"

namespace kvarium {
namespace {

/// Far more than a processor's caches hold, where the point names no working set.
constexpr std::int64_t default_working_set_bytes = 512LL << 20;

ChecksumSpeed measure(const DecodeScenario& scenario, const PointConfig& point) {
  const std::int64_t wanted = point.base.workload.working_set_bytes;
  const TimedWork work = host_checksum_work(scenario, point, wanted > 0 ? wanted : default_working_set_bytes);
  const Throughput measured = measure_throughput(work, ReadCeiling().works(), point.limits);
  return {measured.kernel.bytes_per_second(), fastest(measured.readers).bytes_per_second()};
}

ChecksumSpeed kept_speed(const DecodeScenario& scenario, const PointConfig& point, std::any* kept) {
  if (kept == nullptr) return measure(scenario, point);
  std::vector<CoverageKept::Speed>& speeds = coverage_kept(*kept).speeds;
  BaseConfig base = point.base;
  base.fault = {};
  const auto found = std::ranges::find_if(speeds, [&](const auto& entry) { return entry.base == base; });
  if (found != speeds.end()) return found->speed;
  return speeds.emplace_back(CoverageKept::Speed{base, measure(scenario, point)}).speed;
}

}  // namespace

std::vector<ColumnSchema> coverage_throughput_columns() {
  return {{"checksum_throughput", ColumnType::float64, "byte s-1", "K and V that the checksum sums on the host"},
          {"read_ceiling", ColumnType::float64, "byte s-1", "What the fastest reader reads in the same run"},
          {"fraction_of_ceiling", ColumnType::float64, "1", "Share of the read ceiling that the checksum reaches"}};
}

void append_coverage_throughput(Table& timing_summary, const DecodeScenario& scenario, const PointConfig& point,
                                std::any* kept) {
  const ChecksumSpeed speed = kept_speed(scenario, point, kept);
  timing_summary.append_row({speed.bytes_per_second, speed.ceiling, speed.bytes_per_second / speed.ceiling});
}

}  // namespace kvarium

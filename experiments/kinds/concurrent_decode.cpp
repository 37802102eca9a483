#include "experiments/kinds/concurrent_decode.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/check.hpp"
#include "experiments/kinds/reference_check.hpp"
#include "experiments/kinds/side_by_side.hpp"

namespace kvarium {
namespace {

/// As long as the limits let other loops run: without a pause where they ask for one.
std::int64_t num_steps(double step_seconds, const LimitsConfig& limits) {
  constexpr double fewest = 10;
  constexpr double most = 10000;
  const bool is_sustained = limits.sustained_seconds > 0;
  const double seconds = is_sustained ? limits.sustained_seconds : limits.min_time_seconds;
  const double bound = is_sustained ? most : static_cast<double>(limits.max_samples);
  return static_cast<std::int64_t>(std::clamp(seconds / step_seconds, fewest, std::max(fewest, bound)));
}

/// Runs are long or short as the other stream lets them be, so the rate is that of all of them.
double mean_bytes_per_second(const TimedSeries& series) {
  const double seconds = std::accumulate(series.seconds.begin(), series.seconds.end(), 0.0);
  return series.bytes * static_cast<double>(series.seconds.size()) / seconds;
}

std::int64_t num_layers(const DecodeScenario& scenario) { return static_cast<std::int64_t>(scenario.views().size()); }

std::optional<std::string> layer_problem(const DecodeScenario& scenario, std::int64_t layer,
                                         const AttentionVariant& variant, const std::vector<std::byte>& output) {
  const ReferenceCheck check = check_with_reference(scenario, layer, variant, output);
  if (check.is_right()) return {};
  return concatenate("the decode step's output of layer ", layer, " differs from the reference by relative L2 ",
                     check.difference.relative_l2, ", more than ", check.tolerance);
}

}  // namespace

ConcurrentTimes time_concurrently(DeviceDecode& decode, DeviceChecksumBatch& checksum, double kv_bytes,
                                  const LimitsConfig& limits) {
  StreamedWork steps{"decode_alone", kv_bytes, &decode.stream(), [&](std::int64_t run) { decode.launch_step(run); }};
  const StreamedWork calls{"checksum_beside_decode", kv_bytes, &checksum.stream(),
                           [&](std::int64_t run) { checksum.launch_call(run); }};
  // Kernels are compiled and loaded by their first launch.
  checksum.time_call(0);
  decode.time_step(0);
  const std::int64_t runs = num_steps(decode.time_step(1), limits);
  ConcurrentTimes times;
  times.decode_alone = run_side_by_side({steps}, runs).front();
  steps.name = "decode_beside_checksum";
  const std::vector<TimedSeries> beside = run_side_by_side({steps, calls}, runs);
  times.decode_beside = beside.front();
  times.checksum_beside = beside.back();
  return times;
}

std::optional<std::string> decode_problem(const DecodeScenario& scenario, const AttentionVariant& variant,
                                          DeviceDecode& decode) {
  for (std::int64_t layer = 0; layer < num_layers(scenario); ++layer) {
    if (auto problem = layer_problem(scenario, layer, variant, decode.output(layer))) return problem;
  }
  return {};
}

std::optional<std::string> latest_decode_problem(const DecodeScenario& scenario, const AttentionVariant& variant,
                                                 DeviceDecode& decode) {
  return layer_problem(scenario, num_layers(scenario) - 1, variant, decode.latest_output());
}

std::vector<ColumnSchema> concurrent_columns() {
  return {{"decode_alone", ColumnType::float64, "s",
           "Median time of a decode step of the batch, back to back, with nothing beside it (workload.concurrent)"},
          {"decode_beside_checksum", ColumnType::float64, "s",
           "The same while the checksum runs without a pause on a second stream"},
          {"throughput_beside_decode", ColumnType::float64, "byte s-1",
           "Bytes that checksum sums over the time it takes beside the decode steps"}};
}

std::vector<Value> concurrent_values(const std::optional<ConcurrentTimes>& times) {
  if (!times) return std::vector<Value>(3, std::numeric_limits<double>::quiet_NaN());
  return {times->decode_alone.median(), times->decode_beside.median(), mean_bytes_per_second(times->checksum_beside)};
}

}  // namespace kvarium

#include "experiments/kinds/device_checksum_run.hpp"

#include <algorithm>
#include <limits>

#include "core/check.hpp"
#include "experiments/kinds/checksum_check.hpp"
#include "experiments/kinds/concurrent_decode.hpp"
#include "experiments/kinds/device_read_ceiling.hpp"

namespace kvarium {
namespace {

void mark_wrong(PointResult& result, const std::string& reason) {
  result.status = PointStatus::wrong_result;
  result.reason = reason;
}

/// The host's values of every row, after those of the device have been held against them and the reference.
std::vector<std::uint64_t> check_values(const DecodeScenario& scenario, const ChecksumConfig& checksum,
                                        DeviceChecksumBatch& batch, PointResult& result) {
  const auto values = batch.values();
  const auto all_rows = std::numeric_limits<std::int64_t>::max();
  auto expected = host_checksums(scenario, checksum, "host", all_rows);
  const auto difference = std::mismatch(values.begin(), values.end(), expected.begin());
  if (difference.first != values.end()) {
    const auto words = static_cast<std::ptrdiff_t>(values.size()) / scenario.stored_blocks().rows().num_rows;
    mark_wrong(result, concatenate("the checksum of row ", (difference.first - values.begin()) / words, " is ",
                                   *difference.first, ", but ", *difference.second, " on the host"));
  }
  if (!append_checked_rows(scenario, checksum, values, result.tables.trials)) {
    mark_wrong(result, "checksums differ from the sequential reference");
  }
  return expected;
}

/// Decode steps beside the checksum; nothing where the steps are wrong, which `result` then says.
std::optional<ConcurrentTimes> measure_concurrently(const DecodeScenario& scenario, const PointConfig& point,
                                                    DeviceChecksumBatch& batch, PointResult& result) {
  DeviceDecode decode(scenario, point.base.variant, point.base.workload.working_set_bytes);
  decode.take_findings();
  auto problem = decode_problem(scenario, point.base.variant, decode);
  std::optional<ConcurrentTimes> times;
  if (!problem) {
    times = time_concurrently(decode, batch, static_cast<double>(scenario.kv_bytes()), point.limits);
    problem = latest_decode_problem(scenario, point.base.variant, decode);
  }
  if (!problem && fault_place(decode.take_findings().fault)) {
    problem = "the decode step's verification reports a fault that is not there";
  }
  if (!problem) return times;
  mark_wrong(result, *problem);
  return {};
}

Throughput measure_calls(const DecodeScenario& scenario, const PointConfig& point, DeviceChecksumBatch& batch) {
  const TimedWork call{point.base.checksum.family, static_cast<double>(scenario.kv_bytes()),
                       [&](std::int64_t sample) { return batch.time_call(sample); }};
  return measure_on_device(
      call, batch.stream(), [&](std::int64_t run) { batch.launch_call(run); }, point.limits);
}

void append_concurrent_samples(const std::optional<ConcurrentTimes>& times, Table& timing) {
  if (!times) return;
  for (const TimedSeries* series : {&times->decode_alone, &times->decode_beside, &times->checksum_beside}) {
    append_samples(timing, *series);
  }
}

}  // namespace

void run_checksums_on_device(const DecodeScenario& scenario, const PointConfig& point, PointResult& result) {
  DeviceChecksumBatch batch(scenario, point.base.checksum, point.base.workload.working_set_bytes);
  const auto expected = check_values(scenario, point.base.checksum, batch, result);
  if (result.status != PointStatus::passed) return;
  const Throughput throughput = measure_calls(scenario, point, batch);
  std::optional<ConcurrentTimes> concurrent;
  if (point.base.workload.concurrent) concurrent = measure_concurrently(scenario, point, batch, result);
  if (batch.latest_values() != expected) mark_wrong(result, "the last timed call's checksums differ from the host's");
  if (result.status != PointStatus::passed) return;
  append_throughput(result.tables, throughput, point.record.raw_samples, concurrent_values(concurrent));
  if (point.record.raw_samples) append_concurrent_samples(concurrent, result.tables.timing);
}

}  // namespace kvarium

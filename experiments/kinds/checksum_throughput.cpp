#include <fmt/format.h>

#include <algorithm>

#include "experiments/kinds/checksum_check.hpp"
#include "experiments/kinds/concurrent_decode.hpp"
#include "experiments/kinds/device_checksum_run.hpp"
#include "experiments/kinds/experiment_kind.hpp"
#include "experiments/kinds/host_checksum_work.hpp"
#include "experiments/kinds/read_ceiling.hpp"
#include "experiments/kinds/throughput_tables.hpp"
#include "experiments/kinds/variant_problem.hpp"

namespace kvarium {
namespace {

KindSchema checksum_schema() {
  KindSchema schema;
  schema.trials = checked_row_columns();
  schema.timing = throughput_timing_columns();
  schema.summary = {{"kv_bytes", ColumnType::int64, "byte", "K and V that one call sums"},
                    {"num_rows", ColumnType::int64, "1", "Block rows of one call"},
                    {"checked_rows", ColumnType::int64, "1", "First rows compared with the reference"}};
  schema.timing_summary = throughput_summary_columns();
  for (ColumnSchema& column : concurrent_columns()) schema.timing_summary.push_back(std::move(column));
  schema.printed = {"checked_rows",
                    "median_duration",
                    "throughput",
                    "fraction_of_ceiling",
                    "fraction_of_same_size_read",
                    "fraction_of_sustained_read",
                    "decode_alone",
                    "decode_beside_checksum",
                    "throughput_beside_decode"};
  return schema;
}

/// The call on the host, beside the host's readers; only after right values.
void run_on_host(const DecodeScenario& scenario, const PointConfig& point, PointResult& result) {
  const ChecksumConfig& checksum = point.base.checksum;
  const auto values = host_checksums(scenario, checksum, "host", checked_checksum_rows);
  if (!append_checked_rows(scenario, checksum, values, result.tables.trials)) {
    result.status = PointStatus::wrong_result;
    result.reason = "checksums differ from the sequential reference";
    return;
  }
  append_throughput(result.tables, measure_throughput(host_checksum_work(scenario, point, point.base.workload.working_set_bytes),
                                       ReadCeiling().works(), point.limits),
                    point.record.raw_samples, concurrent_values({}));
}

/// What only one of the devices can do.
std::optional<std::string> device_problem(const PointConfig& point) {
  const ChecksumConfig& checksum = point.base.checksum;
  if (point.device == Device::cpu) {
    if (checksum.chunk != 0) return "checksum.chunk is an axis of CUDA families; leave it 0 on the cpu";
    if (point.base.workload.concurrent) return "workload.concurrent takes two streams of a GPU; set device: cuda";
    return {};
  }
  if (device_checksums().find(checksum.family) == nullptr) {
    return fmt::format("checksum.family {} does not run on a GPU; use one of {}", checksum.family,
                       join(device_checksums().names()));
  }
  return point.base.workload.concurrent ? variant_problem(point) : std::nullopt;
}

/// Checksums of a batch's blocks: checked against the reference first, then timed beside the memory readers.
class ChecksumThroughput final : public ExperimentKind {
 public:
  std::string description() const override {
    return "speed of checksums over paged KV blocks, as a share of the read bandwidth of the same run";
  }

  KindSchema schema() const override { return checksum_schema(); }

  std::optional<std::string> refusal(const PointConfig& point) const override {
    if (point.base.checksum.family == "none") return "checksum.family is none; name one of `kvarium list checksums`";
    if (point.base.fault.model != "none") return "checksum_throughput injects no faults; set fault.model: none";
    if (point.base.batch.num_sequences == 0 || point.base.batch.context_length == 0) {
      return "there is nothing to sum; set num_sequences and context_length above 0";
    }
    if (auto problem = device_problem(point)) return problem;
    return content_problem(point);
  }

  std::int64_t most_trials(const PointConfig& point) const override {
    // The blocks that are compared with the reference, of which shorter sequences have fewer.
    const std::int64_t blocks = (point.base.batch.context_length + point.base.cache.block_size - 1) /
                                point.base.cache.block_size * point.base.batch.num_sequences;
    return std::min(blocks, checked_checksum_rows);
  }

  PointResult run(const PointConfig& point, const PointContext& context) const override {
    const DecodeScenario scenario(point, context.random);
    PointResult result{PointStatus::passed, "", PointTables(schema())};
    point.device == Device::cpu ? run_on_host(scenario, point, result)
                                : run_checksums_on_device(scenario, point, result);
    result.tables.summary.append_row({scenario.kv_bytes(),
                                      static_cast<std::int64_t>(scenario.stored_blocks().block_ids.size()),
                                      static_cast<std::int64_t>(result.tables.trials.num_rows())});
    return result;
  }

  PointResult replay(const PointConfig& point, const PointContext& context, std::int64_t trial) const override {
    const DecodeScenario scenario(point, context.random);
    const auto values = point.device == Device::cpu
                            ? host_checksums(scenario, point.base.checksum, "host", checked_checksum_rows)
                            : DeviceChecksumBatch(scenario, point.base.checksum, 0).values();
    Table rows = PointTables(schema()).trials;
    const bool is_right = append_checked_rows(scenario, point.base.checksum, values, rows);
    const auto num_trials = static_cast<std::int64_t>(rows.num_rows());
    KVARIUM_VALIDATE(trial >= 0 && trial < num_trials, "trial ", trial, " of a point with ", num_trials, " trials");
    PointResult result{is_right ? PointStatus::passed : PointStatus::wrong_result,
                       is_right ? "" : "checksums differ from the sequential reference", PointTables(schema())};
    result.tables.trials.append_row(rows.row(static_cast<std::size_t>(trial)));
    return result;
  }
};

}  // namespace

void register_checksum_throughput(Registry<ExperimentKind>& registry) {
  registry.add("checksum_throughput", std::make_unique<ChecksumThroughput>());
}

}  // namespace kvarium

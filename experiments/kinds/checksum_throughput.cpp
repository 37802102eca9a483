#include <algorithm>

#include "experiments/kinds/decode_scenario.hpp"
#include "experiments/kinds/experiment_kind.hpp"
#include "experiments/kinds/read_ceiling.hpp"
#include "experiments/kinds/throughput_tables.hpp"

namespace kvarium {
namespace {

KindSchema checksum_schema() {
  KindSchema schema;
  schema.trials = {{"block_id", ColumnType::int64, "1", "Physical block of the row"},
                   {"first_token", ColumnType::int64, "1", "Position in the request of the block's first token"},
                   {"valid_tokens", ColumnType::int64, "1", "Tokens summed"},
                   {"value", ColumnType::uint64, "1", "Checksum of the block row over all layers"},
                   {"reference", ColumnType::uint64, "1", "The same by the sequential reference"}};
  schema.timing = throughput_timing_columns();
  schema.summary = {{"kv_bytes", ColumnType::int64, "byte", "K and V that one call sums"},
                    {"num_rows", ColumnType::int64, "1", "Block rows of one call"},
                    {"checked_rows", ColumnType::int64, "1", "First rows compared with the reference"}};
  schema.timing_summary = throughput_summary_columns();
  schema.printed = {"checked_rows", "median_duration", "throughput", "ceiling", "fraction_of_ceiling"};
  return schema;
}

/// The reference sums piece by piece; these rows take it well under a second.
constexpr std::int64_t checked_rows = 64;

/// Values of the first rows by both implementations; marks the result wrong where they differ.
void check_rows(const DecodeScenario& scenario, const PointConfig& point, PointResult& result) {
  const StoredBlocks stored = scenario.stored_blocks();
  ChecksumRows rows = stored.rows();
  rows.num_rows = std::min(rows.num_rows, checked_rows);
  const ChecksumFamily& family = checksum_families().at(point.base.checksum.family);
  const int width = point.base.checksum.piece_width;
  const auto values = family.compute(scenario.checksum_layers(), rows, {width, "host"});
  const auto expected = family.compute(scenario.checksum_layers(), rows, {width, "host_reference"});
  for (std::size_t row = 0; row < values.size(); ++row) {
    result.tables.trials.append_row(
        {stored.block_ids[row], stored.first_tokens[row], stored.valid_tokens[row], values[row], expected[row]});
  }
  if (values != expected) {
    result.status = PointStatus::wrong_result;
    result.reason = "checksums differ from the sequential reference";
  }
}

/// One call over all layers and blocks, each time on the next copy of the caches.
TimedWork sum_all(const DecodeScenario& scenario, const PointConfig& point) {
  return {point.base.checksum.family, static_cast<double>(scenario.kv_bytes()),
          timed_by_host([copies = scenario.working_set(point.base.workload.working_set_bytes),
                         stored = scenario.stored_blocks(), &point](std::int64_t sample) {
            const auto& caches = copies[static_cast<std::size_t>(sample) % copies.size()];
            std::vector<CacheLayer> layers;
            for (const PagedKvCache& cache : caches) {
              layers.push_back({cache.view(), static_cast<std::int64_t>(layers.size()), 0});
            }
            checksum_families()
                .at(point.base.checksum.family)
                .compute(layers, stored.rows(), {point.base.checksum.piece_width, "host"});
          })};
}

/// Checksums of a batch's blocks: checked against the reference first, then timed beside the memory readers.
class ChecksumThroughput final : public ExperimentKind {
 public:
  std::string description() const override {
    return "speed of checksums over paged KV blocks, as a share of the read bandwidth of the same run";
  }

  KindSchema schema() const override { return checksum_schema(); }

  std::optional<std::string> refusal(const PointConfig& point) const override {
    if (point.device != Device::cpu) return "checksum_throughput runs on the cpu so far; set device: cpu";
    if (point.base.checksum.family == "none") return "checksum.family is none; name one of `kvarium list checksums`";
    if (point.base.checksum.chunk != 0) return "checksum.chunk is an axis of CUDA families; leave it 0 on the cpu";
    if (point.base.fault.model != "none") return "checksum_throughput injects no faults; set fault.model: none";
    if (point.base.batch.num_sequences == 0 || point.base.batch.context_length == 0) {
      return "there is nothing to sum; set num_sequences and context_length above 0";
    }
    return content_problem(point);
  }

  PointResult run(const PointConfig& point, const PointContext& context) const override {
    const DecodeScenario scenario(point, context.random);
    PointResult result{PointStatus::passed, "", PointTables(schema())};
    check_rows(scenario, point, result);
    result.tables.summary.append_row({scenario.kv_bytes(),
                                      static_cast<std::int64_t>(scenario.stored_blocks().block_ids.size()),
                                      static_cast<std::int64_t>(result.tables.trials.num_rows())});
    if (result.status == PointStatus::passed) {
      append_throughput(result.tables,
                        measure_throughput(sum_all(scenario, point), ReadCeiling().works(), point.limits),
                        point.record.raw_samples);
    }
    return result;
  }

  PointResult replay(const PointConfig& point, const PointContext& context, std::int64_t trial) const override {
    const DecodeScenario scenario(point, context.random);
    PointResult all{PointStatus::passed, "", PointTables(schema())};
    check_rows(scenario, point, all);
    const auto num_trials = static_cast<std::int64_t>(all.tables.trials.num_rows());
    KVARIUM_VALIDATE(trial >= 0 && trial < num_trials, "trial ", trial, " of a point with ", num_trials, " trials");
    PointResult result{all.status, all.reason, PointTables(schema())};
    result.tables.trials.append_row(all.tables.trials.row(static_cast<std::size_t>(trial)));
    return result;
  }
};

}  // namespace

void register_checksum_throughput(Registry<ExperimentKind>& registry) {
  registry.add("checksum_throughput", std::make_unique<ChecksumThroughput>());
}

}  // namespace kvarium

#include <algorithm>
#include <functional>

#include "experiments/kinds/device_decode.hpp"
#include "experiments/kinds/device_read_ceiling.hpp"
#include "experiments/kinds/experiment_kind.hpp"
#include "experiments/kinds/host_verification.hpp"
#include "experiments/kinds/prepared_decode.hpp"
#include "experiments/kinds/read_ceiling.hpp"
#include "experiments/kinds/reference_check.hpp"
#include "experiments/kinds/throughput_tables.hpp"
#include "experiments/kinds/variant_problem.hpp"

namespace kvarium {
namespace {

std::vector<ColumnSchema> check_columns() {
  return {{"layer", ColumnType::int64, "1", "Layer whose output was checked"},
          {"checked_sequences", ColumnType::int64, "1", "First sequences compared with the float64 reference"},
          {"relative_l2", ColumnType::float64, "1", "Relative L2 error of the worst (sequence, head)"},
          {"worst_row", ColumnType::int64, "1", "That row: sequence * num_heads + head"},
          {"tolerance", ColumnType::float64, "1", "Largest error that counts as right"}};
}

KindSchema decode_schema() {
  KindSchema schema;
  schema.trials = check_columns();
  schema.timing = throughput_timing_columns();
  schema.summary = {{"kv_bytes", ColumnType::int64, "byte", "K and V that one decode step of all layers reads"},
                    {"worst_relative_l2", ColumnType::float64, "1", "Largest relative_l2 of the layers"},
                    {"verified_slices", ColumnType::int64, "1",
                     "Slices (one logical block, one KV head) of a step whose checksum was compared"},
                    {"unverified_slices", ColumnType::int64, "1", "Slices of a step that were read without"}};
  schema.timing_summary = throughput_summary_columns();
  schema.printed = {
      "worst_relative_l2",          "median_duration",           "throughput", "ceiling", "fraction_of_ceiling",
      "fraction_of_same_size_read", "fraction_of_sustained_read"};
  return schema;
}

/// Output of one layer on the device of the point.
using LayerOutput = std::function<std::vector<std::byte>(std::int64_t layer)>;

/// Checks every layer; the largest error found.
double check_layers(PreparedDecode& prepared, const AttentionVariant& variant, const LayerOutput& output_of,
                    PointResult& result) {
  const DecodeScenario& scenario = prepared.scenario();
  double worst = 0;
  for (std::int64_t layer = 0; layer < static_cast<std::int64_t>(scenario.views().size()); ++layer) {
    const auto output = output_of(layer);
    const ReferenceCheck check = compare_with_reference(scenario, layer, prepared.reference(layer, variant), output);
    result.tables.trials.append_row(
        {layer, check.num_sequences, check.difference.relative_l2, check.difference.worst_row, check.tolerance});
    worst = std::max(worst, check.difference.relative_l2);
    if (!check.is_right()) {
      result.status = PointStatus::wrong_result;
      result.reason = concatenate("layer ", layer, " differs from the reference by relative L2 ",
                                  check.difference.relative_l2, ", more than ", check.tolerance);
    }
  }
  return worst;
}

void append_summary(const DecodeScenario& scenario, double worst, const VerificationResult& found,
                    PointResult& result) {
  result.tables.summary.append_row({scenario.kv_bytes(), worst, static_cast<std::int64_t>(found.verified),
                                    static_cast<std::int64_t>(found.unverified)});
}

/// A clean cache must verify; what a fault word names is told.
void check_findings(const VerificationResult& found, const PointConfig& point, PointResult& result) {
  if (point.base.variant.verifies() && point.base.batch.sliding_window == 0 &&
      (found.verified == 0 || found.unverified != 0)) {
    result.status = PointStatus::wrong_result;
    result.reason = concatenate("of ", found.verified + found.unverified, " slices read only ", found.verified,
                                " were verified, though all have records");
  }
  const auto place = fault_place(found.fault);
  if (!place) return;
  result.status = PointStatus::wrong_result;
  result.reason = concatenate("verification reports a fault that is not there: sequence ", place->sequence, ", block ",
                              place->block, ", KV head ", place->kv_head);
}

/// One decode step of all layers, each time on the next copy of the caches.
TimedWork decode_step(const DecodeScenario& scenario, const PointConfig& point, HostVerification& verification) {
  const auto copies = scenario.working_set(point.base.workload.working_set_bytes);
  return {point.base.variant.family, static_cast<double>(scenario.kv_bytes()),
          timed_by_host([&scenario, &point, &verification, copies,
                         output = std::vector<std::byte>(scenario.output_bytes())](std::int64_t sample) mutable {
            const auto& caches = copies[static_cast<std::size_t>(sample) % copies.size()];
            for (std::size_t layer = 0; layer < caches.size(); ++layer) {
              PagedAttentionArguments arguments = scenario.arguments(static_cast<std::int64_t>(layer));
              arguments.verification = verification.of_layer(static_cast<std::int64_t>(layer));
              arguments.cache = caches[layer].view();
              arguments.out = output.data();
              paged_attention_v2(arguments, point.base.variant);
            }
          })};
}

/// The step on the host, beside the host's readers; only after a right answer.
void run_on_host(PreparedDecode& prepared, const PointConfig& point, PointResult& result) {
  const DecodeScenario& scenario = prepared.scenario();
  const AttentionVariant& variant = point.base.variant;
  HostVerification verification(scenario, variant);
  const auto output = [&](std::int64_t layer) {
    return run_attention(scenario, layer, variant, verification.of_layer(layer));
  };
  const double worst = check_layers(prepared, variant, output, result);
  const VerificationResult found = verification.take_findings();
  append_summary(scenario, worst, found, result);
  check_findings(found, point, result);
  if (result.status != PointStatus::passed) return;
  const Throughput throughput =
      measure_throughput(decode_step(scenario, point, verification), prepared.read_ceiling().works(), point.limits);
  check_findings(verification.take_findings(), point, result);
  if (result.status == PointStatus::passed) append_throughput(result.tables, throughput, point.record.raw_samples);
}

/// The same on the GPU.
void run_on_device(PreparedDecode& prepared, const PointConfig& point, PointResult& result) {
  const DecodeScenario& scenario = prepared.scenario();
  DeviceDecode device(scenario, point.base.variant, prepared.device_caches());
  device.take_findings();
  const double worst = check_layers(
      prepared, point.base.variant, [&](std::int64_t layer) { return device.output(layer); }, result);
  const VerificationResult found = device.take_findings();
  append_summary(scenario, worst, found, result);
  check_findings(found, point, result);
  if (result.status != PointStatus::passed) return;
  const TimedWork step{point.base.variant.family, static_cast<double>(scenario.kv_bytes()),
                       [&](std::int64_t sample) { return device.time_step(sample); }};
  const auto launch = [&](std::int64_t run) { device.launch_step(run); };
  const Throughput throughput = measure_on_device(step, device.stream(), launch, point.limits);
  check_findings(device.take_findings(), point, result);
  if (result.status == PointStatus::passed) append_throughput(result.tables, throughput, point.record.raw_samples);
}

/// Decode attention over a batch: checked against the reference first, then timed beside the memory readers.
class DecodeAttention final : public ExperimentKind {
 public:
  std::string description() const override {
    return "speed of decode attention on a paged KV cache, as a share of the read bandwidth of the same run";
  }

  KindSchema schema() const override { return decode_schema(); }

  std::optional<std::string> refusal(const PointConfig& point) const override {
    if (point.base.fault.model != "none") return "decode_attention injects no faults; set fault.model: none";
    if (point.base.workload.concurrent) return "workload.concurrent is of checksum_throughput; leave it false";
    if (point.base.batch.num_sequences == 0 || point.base.batch.context_length == 0) {
      return "there is nothing to attend; set num_sequences and context_length above 0";
    }
    if (auto problem = variant_problem(point)) return problem;
    return content_problem(point);
  }

  std::int64_t most_trials(const PointConfig& point) const override { return point.base.cache.num_layers; }

  PointResult run(const PointConfig& point, const PointContext& context) const override {
    const std::shared_ptr<PreparedDecode> prepared = PreparedDecode::of_point(point, context);
    PointResult result{PointStatus::passed, "", PointTables(schema())};
    point.device == Device::cpu ? run_on_host(*prepared, point, result) : run_on_device(*prepared, point, result);
    return result;
  }

  PointResult replay(const PointConfig& point, const PointContext& context, std::int64_t trial) const override {
    KVARIUM_VALIDATE(trial >= 0 && trial < point.base.cache.num_layers, "trial ", trial, " of a point with ",
                     point.base.cache.num_layers, " trials");
    PreparedDecode prepared(point, context.random);
    const DecodeScenario& scenario = prepared.scenario();
    HostVerification verification(scenario, point.base.variant);
    PointResult all{PointStatus::passed, "", PointTables(schema())};
    check_layers(
        prepared, point.base.variant,
        [&](std::int64_t layer) {
          return point.device == Device::cpu
                     ? run_attention(scenario, layer, point.base.variant, verification.of_layer(layer))
                     : DeviceDecode(scenario, point.base.variant, 0).output(layer);
        },
        all);
    PointResult result{all.status, all.reason, PointTables(schema())};
    result.tables.trials.append_row(all.tables.trials.row(static_cast<std::size_t>(trial)));
    return result;
  }
};

}  // namespace

void register_decode_attention(Registry<ExperimentKind>& registry) {
  registry.add("decode_attention", std::make_unique<DecodeAttention>());
}

}  // namespace kvarium

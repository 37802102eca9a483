#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cmath>

#include "experiments/kinds/experiment_kind.hpp"
#include "kernels/cuda/driver_library.hpp"
#include "tests/experiments/config/example_experiment.hpp"
#include "tests/experiments/kinds/small_point.hpp"

using namespace kvarium;
using namespace kvarium::test;

namespace {

const ExperimentKind& checksum_throughput() { return experiment_kinds().at("checksum_throughput"); }

/// Two sequences of 40 tokens in two layers, timed as briefly as can be.
PointConfig checksum_point(Device device) {
  PointConfig point = small_point();
  point.kind = "checksum_throughput";
  point.device = device;
  point.base.fault.model = "none";
  point.base.cache.element_type = ElementType::bfloat16;
  point.base.batch.query_type = ElementType::bfloat16;
  if (device == Device::cuda) point.base.variant.family = "gqa_packed";
  point.limits = {.min_time_seconds = 0, .max_samples = 3};
  return point;
}

/// The same random numbers in every run.
PointContext small_context() {
  PointContext context;
  context.random = small_key;
  return context;
}

std::string refusal(const PointConfig& point) { return checksum_throughput().refusal(point).value_or(""); }

double timed(const PointResult& result, const std::string& column) {
  return result.tables.timing_summary.column(column).values<double>()[0];
}

}  // namespace

TEST_CASE("checksum_throughput runs on both devices and refuses what one of them lacks", "[experiments][kinds]") {
  PointConfig host = checksum_point(Device::cpu);
  PointConfig device = checksum_point(Device::cuda);
  CHECK(refusal(host).empty());
  CHECK(refusal(device).empty());

  host.base.checksum.chunk = device.base.checksum.chunk = 64;
  CHECK(refusal(host) == "checksum.chunk is an axis of CUDA families; leave it 0 on the cpu");
  CHECK(refusal(device).empty());

  host.base.checksum.chunk = 0;
  host.base.workload.concurrent = device.base.workload.concurrent = true;
  CHECK(refusal(host) == "workload.concurrent takes two streams of a GPU; set device: cuda");
  CHECK(refusal(device).empty());
}

TEST_CASE("the attention variant matters to checksum_throughput only where it runs beside", "[experiments][kinds]") {
  PointConfig point = checksum_point(Device::cuda);
  point.base.variant.family = "host";
  CHECK(refusal(point).empty());

  point.base.workload.concurrent = true;
  CHECK(refusal(point) == "family host runs on device cpu, not cuda; choose another one of `kvarium list variants`");
}

TEST_CASE("checksum_throughput refuses a point without a checksum, with a fault or with nothing to sum",
          "[experiments][kinds]") {
  PointConfig point = checksum_point(Device::cuda);
  point.base.checksum.family = "none";
  CHECK(refusal(point) == "checksum.family is none; name one of `kvarium list checksums`");

  point = checksum_point(Device::cuda);
  point.base.fault.model = "single_bit_flip";
  CHECK(refusal(point) == "checksum_throughput injects no faults; set fault.model: none");

  point = checksum_point(Device::cuda);
  point.base.batch.context_length = 0;
  CHECK(refusal(point) == "there is nothing to sum; set num_sequences and context_length above 0");
}

TEST_CASE("kinds that sum nothing refuse workload.concurrent", "[experiments][kinds]") {
  PointConfig point = small_point();
  point.base.workload.concurrent = true;
  CHECK(experiment_kinds().at("fault_impact").refusal(point) ==
        "workload.concurrent is of checksum_throughput; leave it false");
  point.base.fault.model = "none";
  CHECK(experiment_kinds().at("decode_attention").refusal(point) ==
        "workload.concurrent is of checksum_throughput; leave it false");
}

TEST_CASE("workload.concurrent is true or false, and false unless given", "[experiments][config]") {
  CHECK_FALSE(parse(example_text()).point.base.workload.concurrent);
  CHECK(complaint(example_text("base:\n  workload: {concurrent: 1}\n")) ==
        "f.yaml:5:26: '1' is not true or false; write true or false");
}

TEST_CASE("values are held against the reference, and what has nothing beside it has no time for it",
          "[experiments][kinds]") {
  const PointResult result = checksum_throughput().run(checksum_point(Device::cpu), small_context());

  REQUIRE(result.status == PointStatus::passed);
  const Table& trials = result.tables.trials;
  CHECK(trials.num_rows() == 6);
  CHECK(std::ranges::equal(trials.column("value").values<std::uint64_t>(),
                           trials.column("reference").values<std::uint64_t>()));
  CHECK(timed(result, "throughput") > 0);
  for (const char* column : {"decode_alone", "decode_beside_checksum", "throughput_beside_decode"}) {
    CHECK(std::isnan(timed(result, column)));
  }
}

TEST_CASE("checksum_throughput on a GPU gives the host's values and times them, alone and beside decode steps",
          "[experiments][gpu]") {
  if (!missing_device_reason().empty()) SKIP("no GPU: " << missing_device_reason());
  PointConfig point = checksum_point(Device::cuda);
  point.base.workload.concurrent = GENERATE(false, true);
  point.base.checksum.chunk = GENERATE(0, 32);
  point.base.checksum.piece_width = GENERATE(8, 2);
  point.base.workload.working_set_bytes = 1 << 16;
  point.limits.sustained_seconds = 0.01;
  point.record.raw_samples = true;
  CAPTURE(point.base.workload.concurrent, point.base.checksum.chunk, point.base.checksum.piece_width);
  const PointResult on_host = [&] {
    PointConfig host = checksum_point(Device::cpu);
    host.base.checksum.piece_width = point.base.checksum.piece_width;
    return checksum_throughput().replay(host, small_context(), 5);
  }();

  const PointResult result = checksum_throughput().run(point, small_context());
  const PointResult replayed = checksum_throughput().replay(point, small_context(), 5);

  CAPTURE(result.reason);
  REQUIRE(result.status == PointStatus::passed);
  CHECK(result.tables.trials.row(5) == on_host.tables.trials.row(0));
  CHECK(replayed.tables.trials.row(0) == on_host.tables.trials.row(0));
  CHECK(timed(result, "throughput") > 0);
  CHECK(timed(result, "sustained_duration") > 0);
  for (const char* column : {"decode_alone", "decode_beside_checksum", "throughput_beside_decode"}) {
    CAPTURE(column);
    CHECK((timed(result, column) > 0) == point.base.workload.concurrent);
  }
  const auto works = result.tables.timing.column("work").values<std::string>();
  CHECK((std::find(works.begin(), works.end(), "decode_beside_checksum") != works.end()) ==
        point.base.workload.concurrent);
}

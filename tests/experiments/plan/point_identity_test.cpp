#include "experiments/plan/point_identity.hpp"

#include <catch2/catch_test_macros.hpp>

#include "tests/experiments/config/example_experiment.hpp"

using namespace kvarium;
using namespace kvarium::test;

namespace {

std::uint64_t id_of(const std::string& more) { return point_id(parse(example_text(more)).point); }

}  // namespace

TEST_CASE("the id of a point is a hash of documented text", "[experiments][plan]") {
  const PointConfig point = parse(example_text("seed: 7\nbase: {cache: {layout: hnd, head_size: 64}}\n")).point;
  CHECK(identity_json(point) ==
        R"({"base":{"cache":{"head_size":64,"layout":"hnd"}},"device":"cpu","kind":"decode_attention","schema":1,)"
        R"("seed":7})");
  // First 8 bytes of `sha256sum` of that text.
  CHECK(id_text(point_id(point)) == "3f1edd288051c096");
}

TEST_CASE("order of keys and defaults written out do not change an id", "[experiments][plan]") {
  const std::uint64_t id = id_of("base: {cache: {layout: hnd, head_size: 64}}\n");
  CHECK(id == id_of("base: {cache: {head_size: 64, layout: hnd}}\n"));
  CHECK(id ==
        id_of("base: {batch: {softcap: 0, alibi: false}, cache: {block_size: 16, head_size: 64, layout: hnd}}\n"));
  CHECK(id == id_of("seed: 1\ndevice: cpu\nbase: {cache: {head_size: 64, layout: hnd}}\n"));
}

TEST_CASE("how often and how long a point runs does not change its id", "[experiments][plan]") {
  const std::uint64_t id = id_of("");
  CHECK(id == id_of("replicates: 9\n"));
  CHECK(id == id_of("limits: {max_samples: 3}\ncontrols: {golden: false}\nrecord: {raw_samples: true}\n"));
}

TEST_CASE("kind, seed and every value of base change an id", "[experiments][plan]") {
  const std::uint64_t id = id_of("");
  CHECK(id != id_of("seed: 2\n"));
  CHECK(id != id_of("base: {cache: {layout: hnd}}\n"));
  CHECK(id != id_of("base: {variant: {block_n: 32}}\n"));
  CHECK(id != id_of("base: {workload: {working_set_bytes: 1}}\n"));
}

TEST_CASE("an integer and the same number as a fraction give one id", "[experiments][plan]") {
  CHECK(id_of("base: {batch: {softcap: 30}}\n") == id_of("base: {batch: {softcap: 30.0}}\n"));
  CHECK(id_of("base: {batch: {softcap: 30}}\n") == id_of("base: {batch: {softcap: 3e1}}\n"));
}

TEST_CASE("the stimulus depends on cache, batch, workload and fault alone", "[experiments][plan]") {
  PointConfig point = parse(example_text()).point;
  const std::uint64_t stimulus = stimulus_id(point);

  PointConfig other = point;
  other.kind = "fault_impact";
  other.seed = 99;
  other.base.variant.block_n = 8;
  other.base.checksum.family = "weighted_sum";
  CHECK(stimulus_id(other) == stimulus);

  other = point;
  other.base.cache.head_size = 64;
  CHECK(stimulus_id(other) != stimulus);
  other = point;
  other.base.batch.context_length = 5;
  CHECK(stimulus_id(other) != stimulus);
  other = point;
  other.base.workload.working_set_bytes = 5;
  CHECK(stimulus_id(other) != stimulus);
  other = point;
  other.base.fault.model = "stale_block";
  CHECK(stimulus_id(other) != stimulus);
}

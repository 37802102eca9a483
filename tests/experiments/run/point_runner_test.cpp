#include "experiments/run/point_runner.hpp"

#include <catch2/catch_test_macros.hpp>
#include <new>
#include <stdexcept>

#include "tests/experiments/run/small_experiment.hpp"

using namespace kvarium;
using namespace kvarium::test;

namespace {

/// A kind that does what a test tells it to at every point.
class ScriptedKind final : public ExperimentKind {
 public:
  explicit ScriptedKind(std::function<PointResult(const PointConfig&, const PointContext&)> script)
      : script_(std::move(script)) {}

  std::string description() const override { return "scripted"; }
  KindSchema schema() const override { return {}; }
  std::optional<std::string> refusal(const PointConfig&) const override { return {}; }
  std::int64_t most_trials(const PointConfig& point) const override { return point.replicates.count; }
  PointResult run(const PointConfig& point, const PointContext& context) const override {
    return script_(point, context);
  }
  PointResult replay(const PointConfig& point, const PointContext& context, std::int64_t) const override {
    return script_(point, context);
  }

 private:
  std::function<PointResult(const PointConfig&, const PointContext&)> script_;
};

PointResult passed() { return {PointStatus::passed, "", PointTables(KindSchema{})}; }

}  // namespace

TEST_CASE("a point that throws is failed, with the text of the exception in one line", "[experiments][run]") {
  const ScriptedKind throwing(
      [](const PointConfig&, const PointContext&) -> PointResult { throw std::runtime_error("broken\nin two"); });

  const PointResult result = run_point(small_plan(), 0, throwing, {});

  CHECK(result.status == PointStatus::failed);
  CHECK(result.reason == "broken in two");
}

TEST_CASE("a point that needs too much memory is failed", "[experiments][run]") {
  const ScriptedKind greedy([](const PointConfig&, const PointContext&) -> PointResult { throw std::bad_alloc(); });

  const PointResult result = run_point(small_plan(), 0, greedy, {});

  CHECK(result.status == PointStatus::failed);
  CHECK(result.reason == "out of memory; use fewer or shorter sequences, heads or layers");
}

TEST_CASE("an impossible point is skipped with its reason, without asking the kind to run", "[experiments][run]") {
  bool was_run = false;
  const ScriptedKind kind([&](const PointConfig&, const PointContext&) {
    was_run = true;
    return passed();
  });

  const PointResult result = run_point(small_plan(), 1, kind, {});

  CHECK(result.status == PointStatus::skipped);
  CHECK_FALSE(result.reason.empty());
  CHECK_FALSE(was_run);
}

TEST_CASE("points of equal stimulus draw equal random numbers, others do not", "[experiments][run]") {
  std::vector<RandomKey> keys;
  const ScriptedKind kind([&](const PointConfig&, const PointContext& context) {
    keys.push_back(context.random);
    return passed();
  });
  const Plan plan = small_plan();

  run_point(plan, 0, kind, {});
  run_point(plan, 0, kind, {});
  run_point(plan, 2, kind, {});

  REQUIRE(keys.size() == 3);
  CHECK(keys[0].seed == 7);
  CHECK(keys[0] == keys[1]);
  CHECK(keys[0].stimulus != keys[2].stimulus);
}

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/experiments/config/example_experiment.hpp"

using namespace kvarium;
using namespace kvarium::test;

TEST_CASE("an override replaces what the file says, by a path into base or a top-level key", "[experiments][config]") {
  const std::vector<std::string> overrides{
      "cache.layout=hnd", "seed=7", "base.cache.head_size=64", "replicates=5", "controls.golden=false", "name='012'"};

  const ExperimentConfig experiment = parse(example_text("base: {cache: {layout: nhd}}\n"), overrides);

  CHECK(experiment.point.base.cache.layout == CacheLayout::hnd);
  CHECK(experiment.point.base.cache.head_size == 64);
  CHECK(experiment.point.seed == 7);
  CHECK(experiment.point.replicates.count == 5);
  CHECK_FALSE(experiment.point.controls.golden);
  CHECK(experiment.name == "012");
  CHECK(experiment.overrides == overrides);
}

TEST_CASE("a wrong override is named as it was given", "[experiments][config]") {
  const auto [override_text, message] = GENERATE(from_range(std::vector<std::pair<std::string, std::string>>{
      {"cache.layout=hdn", "layout 'hdn' is not known; use one of split_x, nhd, hnd, packed (did you mean 'hnd'?)"},
      {"cache.head_size=1e3", "'1e3' is not an integer; write all digits, without point or exponent"},
      {"cache.head_size=", "nothing is not an integer; write decimal digits"},
      {"cache.head_size=[1, 2]", "a list is not an integer; write decimal digits"},
      {"name=[a", "'[a' is not a value as YAML writes it; put it in quotes"},
      {"seed", "this is no assignment; write --set KEY=VALUE"},
      {"=3", "this is no assignment; write --set KEY=VALUE"},
  }));
  CHECK(complaint(example_text(), {override_text}) == "--set " + override_text + ": " + message);
}

TEST_CASE("an override of an unknown key names the nearest known one", "[experiments][config]") {
  const std::string message = complaint(example_text(), {"cache.layot=hnd"});
  CHECK(message.starts_with("--set cache.layot=hnd: unknown key 'cache.layot'; use one of schema, name, kind, seed"));
  CHECK(message.ends_with("(did you mean 'cache.layout'?)"));
}

TEST_CASE("an override of a swept key is refused with the axis' place", "[experiments][config]") {
  CHECK(complaint(example_text("sweep: {grid: {cache.layout: [hnd, nhd]}}\n"), {"cache.layout=packed"}) ==
        "--set cache.layout=packed: the file sweeps this key (f.yaml:4:16); leave the override out, or the axis");
}

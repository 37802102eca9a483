#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "experiments/config/experiment_json.hpp"
#include "experiments/plan/plan.hpp"
#include "tests/experiments/config/example_experiment.hpp"

using namespace kvarium;
using namespace kvarium::test;

namespace {

Plan make_plan(const std::string& more) { return Plan(parse(example_text(more))); }

std::vector<FieldValue> point(const char* layout, std::int64_t size) { return {std::string(layout), size}; }

std::vector<std::vector<FieldValue>> all_points(const Plan& plan) {
  std::vector<std::vector<FieldValue>> points;
  for (std::int64_t index = 0; index < plan.num_points(); ++index) points.push_back(plan.swept_values(index));
  return points;
}

const std::string grid = "  grid: {cache.layout: [hnd, nhd, packed], cache.block_size: [16, 32]}\n";

struct BadChoice {
  const char* text;
  const char* message;  ///< after "f.yaml:"
};

const std::vector<BadChoice> bad_choices{
    {"  exclude: {cache.layout: hnd}\n",
     "6:12: exclude holds a map, no list of maps of keys to values; write '- {cache.layout: nhd, cache.block_size: "
     "[16, 32]}'"},
    {"  exclude: [{}]\n",
     "6:13: a rule of exclude is a map, no map of keys to values; write '- {cache.layout: nhd, cache.block_size: [16, "
     "32]}'"},
    {"  exclude:\n    - {cache.head_size: 64}\n",
     "7:8: no axis of grid or zip sweeps 'cache.head_size'; use one of cache.layout, cache.block_size (did you mean "
     "'cache.block_size'?)"},
    {"  exclude:\n    - {cache.layout: split_x}\n",
     "7:22: no axis has the value 'split_x' of 'cache.layout'; leave out what is swept"},
    {"  exclude:\n    - {cache.layout: [hnd, nhd, packed]}\n", "7:7: exclude leaves none of 6 points; remove a rule"},
    {"  sample: 3\n",
     "6:11: sample holds '3', not a map of keys; write 'sample: {method: latin_hypercube, count: 100}'"},
    {"  sample: {method: sobol, count: 3}\n", "6:20: method 'sobol' is not known; use one of latin_hypercube, random"},
    {"  sample: {method: random}\n",
     "6:11: sample has no 'count'; write 'sample: {method: latin_hypercube, count: 100}'"},
    {"  sample: {method: random, count: 3, sed: 1}\n",
     "6:38: unknown key 'sed' of sample; use one of method, count, seed (did you mean 'seed'?)"},
    {"  sample: {method: random, count: 7}\n",
     "6:11: sample takes 7 points, but grid and zip have 6; lower the count, or add values"},
    {"  sample: {method: random, count: 5}\n  exclude:\n    - {cache.layout: hnd}\n",
     "6:11: sample takes 5 points, but grid and zip have 4 that exclude leaves; lower the count, or add values"},
    {"  list: []\n",
     "6:9: list holds a list, no list of maps of keys to values; write '- {cache.layout: nhd, cache.block_size: 16}'"},
    {"  list: [3]\n",
     "6:10: a row of list is '3', no map of keys to values; write '- {cache.layout: nhd, cache.block_size: 16}'"},
    {"  list:\n    - {cache.layuot: hnd}\n",
     "7:8: sweep path 'cache.layuot' is no key of base; use one of cache.layout"},
    {"  list:\n    - {cache.block_size: 24}\n", "7:26: block_size 24 is not supported; use 8, 16, 32, 64, 128 or 256"},
    {"  list:\n    - {cache.layout: hnd}\n", "7:7: this row is a point of grid and zip already; remove it"},
    {"  list:\n    - {cache.head_size: 64}\n    - {cache.layout: split_x, cache.head_size: 64}\n",
     "8:7: this row is the same point as row 1; remove it"},
};

}  // namespace

TEST_CASE("a rule of exclude leaves out the points that match it in every key", "[experiments][plan]") {
  const Plan plan = make_plan("sweep:\n" + grid +
                              "  exclude:\n"
                              "    - {cache.layout: nhd, cache.block_size: 32}\n"
                              "    - {cache.layout: [packed]}\n");

  CHECK(all_points(plan) == std::vector{point("hnd", 16), point("hnd", 32), point("nhd", 16)});
}

TEST_CASE("a rule of exclude matches keys that are zipped", "[experiments][plan]") {
  const std::string zip = "  zip: [{cache.layout: [hnd, nhd, hnd], cache.block_size: [16, 16, 32]}]\n";
  const Plan plan = make_plan("sweep:\n" + zip + "  exclude: [{cache.layout: hnd, cache.block_size: 32}]\n");

  CHECK(all_points(plan) == std::vector{point("hnd", 16), point("nhd", 16)});
  CHECK(complaint(example_text("sweep:\n" + zip + "  exclude: [{cache.layout: nhd, cache.block_size: 32}]\n")) ==
        "f.yaml:6:13: the rule leaves nothing out, because no axis has these values together; correct or remove it");
}

TEST_CASE("rows of a list are points after those of the product, with the other keys as in base",
          "[experiments][plan]") {
  const Plan plan = make_plan("base: {cache: {head_size: 64}}\nsweep:\n" + grid +
                              "  list:\n"
                              "    - {cache.layout: hnd, cache.head_size: 128}\n"
                              "    - {batch.num_sequences: 3}\n");

  REQUIRE(plan.num_points() == 8);
  CHECK(plan.swept_fields().size() == 4);
  CHECK(plan.swept_fields()[2]->path == "cache.head_size");
  CHECK(plan.point(0).base.cache.head_size == 64);
  CHECK(plan.point(6).base.cache.layout == CacheLayout::hnd);
  CHECK(plan.point(6).base.cache.head_size == 128);
  CHECK(plan.point(7).base.cache.layout == CacheLayout::split_x);
  CHECK(plan.point(7).base.batch.num_sequences == 3);
  CHECK(plan.point(7).base.cache.head_size == 64);
}

TEST_CASE("a list alone is all points there are", "[experiments][plan]") {
  const Plan plan = make_plan("sweep: {list: [{cache.layout: hnd}, {cache.layout: nhd}]}\n");
  REQUIRE(plan.num_points() == 2);
  CHECK(plan.point(1).base.cache.layout == CacheLayout::nhd);
  CHECK(make_plan("sweep: {grid: {cache.layout: [nhd, hnd]}}\n").fingerprint() == plan.fingerprint());
}

TEST_CASE("a sample takes as many different points, in the order of the product", "[experiments][plan]") {
  const std::string method = GENERATE("latin_hypercube", "random");
  const std::string axes = "  grid: {cache.num_layers: {range: [1, 20]}, batch.num_sequences: {range: [1, 30]}}\n";
  const auto sampled = [&](const std::string& more) {
    return make_plan("sweep:\n" + axes + "  sample: {method: " + method + ", count: 40" + more + "}\n");
  };

  const Plan plan = sampled("");
  const auto points = all_points(plan);

  CHECK(points.size() == 40);
  CHECK(std::ranges::is_sorted(points));
  CHECK(std::set<std::vector<FieldValue>>(points.begin(), points.end()).size() == 40);
  CHECK(all_points(sampled("")) == points);
  CHECK(all_points(sampled(", seed: 2")) != points);
  CHECK(all_points(sampled(", seed: 1")) == points);
}

TEST_CASE("a Latin hypercube uses the values of every axis equally often", "[experiments][plan]") {
  const Plan plan = make_plan(
      "sweep:\n  grid: {cache.num_layers: {range: [1, 20]}, batch.num_sequences: {range: [1, 30]}}\n"
      "  sample: {method: latin_hypercube, count: 60}\n");

  std::map<FieldValue, int> layers, sequences;
  for (const auto& values : all_points(plan)) ++layers[values[0]], ++sequences[values[1]];

  CHECK(std::ranges::all_of(layers, [](const auto& entry) { return entry.second == 3; }));
  CHECK(std::ranges::all_of(sequences, [](const auto& entry) { return entry.second == 2; }));
}

TEST_CASE("a sample takes nothing that exclude leaves out, and rows of a list stay", "[experiments][plan]") {
  const std::string method = GENERATE("latin_hypercube", "random");
  const Plan plan = make_plan("sweep:\n" + grid + "  exclude: [{cache.layout: nhd}]\n  sample: {method: " + method +
                              ", count: 4}\n  list: [{cache.layout: split_x}]\n");

  CHECK(all_points(plan) == std::vector{point("hnd", 16), point("hnd", 32), point("packed", 16), point("packed", 32),
                                        point("split_x", 16)});
}

TEST_CASE("a sample may be of a product that is too large to list", "[experiments][plan]") {
  const std::string axes =
      "  grid: {batch.context_length: {range: [1, 100000]}, batch.num_sequences: {range: [1, 100000]}}\n";
  CHECK(complaint(example_text("sweep:\n" + axes)) ==
        "f.yaml:5:10: the sweep has more than 10000000 points; leave out values or keys, or take a sample");
  CHECK(make_plan("sweep:\n" + axes + "  sample: {method: latin_hypercube, count: 100}\n").num_points() == 100);
  CHECK(make_plan("sweep:\n" + axes + "  sample: {method: random, count: 100}\n").num_points() == 100);
}

TEST_CASE("points keep their ids whatever grid, exclude, sample or list they come from", "[experiments][plan]") {
  const std::vector<std::uint64_t> whole = make_plan("sweep:\n" + grid).point_ids();
  const std::vector<std::uint64_t> left =
      make_plan("sweep:\n" + grid + "  exclude: [{cache.layout: nhd}]\n").point_ids();
  const std::vector<std::uint64_t> listed =
      make_plan("sweep: {list: [{cache.block_size: 32, cache.layout: packed}]}\n").point_ids();

  CHECK(left == std::vector<std::uint64_t>{whole[0], whole[1], whole[4], whole[5]});
  CHECK(listed == std::vector<std::uint64_t>{whole[5]});
}

TEST_CASE("the resolved form of an experiment says what chooses its points", "[experiments][plan]") {
  const std::string text = experiment_json(parse(example_text("sweep:\n" + grid +
                                                              "  exclude: [{cache.layout: nhd}]\n"
                                                              "  sample: {method: random, count: 2, seed: 9}\n"
                                                              "  list: [{cache.head_size: 64}]\n")))["sweep"]
                               .dump();
  CHECK(text.ends_with(R"({"exclude":{"keys":["cache.layout"],"values":[["nhd"]]}},)"
                       R"({"sample":{"method":"random","count":2,"seed":9}},)"
                       R"({"list":{"keys":["cache.head_size"],"values":[[64]]}}])"));
}

TEST_CASE("what a sweep cannot choose is refused at its place", "[experiments][plan]") {
  const BadChoice bad = GENERATE(from_range(bad_choices));
  CAPTURE(bad.text);
  CHECK(complaint(example_text("sweep:\n" + grid + bad.text)).starts_with(std::string("f.yaml:") + bad.message));
}

TEST_CASE("without axes nothing can be left out or sampled", "[experiments][plan]") {
  CHECK(complaint(example_text("sweep: {exclude: [{cache.layout: hnd}]}\n")) ==
        "f.yaml:4:20: no axis of grid or zip sweeps 'cache.layout'; add grid or zip, or remove the rule");
  CHECK(complaint(example_text("sweep: {sample: {method: random, count: 1}}\n")) ==
        "f.yaml:4:17: there is no grid or zip to take a sample of; add one, or remove the sample");
}

TEST_CASE("a key that a row of the list names takes no override", "[experiments][plan]") {
  CHECK(complaint(example_text("sweep: {list: [{cache.layout: hnd}]}\n"), {"cache.layout=nhd"}) ==
        "--set cache.layout=nhd: the file sweeps this key (f.yaml:4:17); leave the override out, or the axis");
}

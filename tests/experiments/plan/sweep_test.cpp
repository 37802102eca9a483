#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <string>
#include <vector>

#include "tests/experiments/config/example_experiment.hpp"

using namespace kvarium;
using namespace kvarium::test;

namespace {

/// Values of the one axis in `grid`.
std::vector<FieldValue> values_of(const std::string& grid) {
  const ExperimentConfig experiment = parse(example_text("sweep: {grid: {" + grid + "}}\n"));
  std::vector<FieldValue> values;
  for (const auto& row : experiment.sweep.axes.at(0).values) values.push_back(row.at(0));
  return values;
}

std::vector<FieldValue> integers(const std::vector<std::int64_t>& values) { return {values.begin(), values.end()}; }

struct BadSweep {
  const char* text;
  const char* message;  ///< after "f.yaml:4:"
};

const std::vector<BadSweep> bad_sweeps{
    {"sweep: [1]\n", "8: sweep holds a list, not a map of keys; use one of grid, zip, exclude, sample, list"},
    {"sweep: {gird: {}}\n", "9: unknown key 'gird' of sweep; use one of grid, zip, exclude, sample, list (did you mean 'grid'?)"},
    {"sweep: {grid: {}}\n", "15: grid holds a map, no map of keys to values; write keys as 'cache.layout: [nhd, hnd]'"},
    {"sweep: {grid: {cache.layout: []}}\n", "30: the list of values is empty; write one value or more"},
    {"sweep: {grid: {cache.layout: hnd}}\n", "30: 'hnd' is no list of values; write [a, b] or {pow2: [0, 4]}"},
    {"sweep: {grid: {cache.layout: [hnd, nhd, hnd]}}\n", "41: value 'hnd' stands twice; remove one"},
    {"sweep: {grid: {batch.softcap: [1, 1.0]}}\n", "35: value '1' stands twice; remove one"},
    {"sweep: {grid: {cache.layout: [hnd, hdn]}}\n",
     "36: layout 'hdn' is not known; use one of split_x, nhd, hnd, packed (did you mean 'hnd'?)"},
    {"sweep: {grid: {cache.block_size: [16, 24]}}\n",
     "39: block_size 24 is not supported; use 8, 16, 32, 64, 128 or 256"},
    {"sweep: {grid: {cache.block_size: {pow2: [3, 10]}}}\n",
     "34: block_size 512 is not supported; use 8, 16, 32, 64, 128 or 256"},
    {"sweep: {grid: {batch.softcap: {steps: [1, 2]}}}\n",
     "32: unknown series 'steps'; use one of range, pow2, linspace, logspace"},
    {"sweep: {grid: {batch.softcap: {range: [1, 2], pow2: [1, 2]}}}\n",
     "31: a series of values is a map of one key; use one of range, pow2, linspace, logspace"},
    {"sweep: {grid: {batch.softcap: {linspace: [1, 2]}}}\n",
     "42: linspace has 2 arguments; write linspace: [first, last, count]"},
    {"sweep: {grid: {batch.softcap: {linspace: [1, 2, 2.5]}}}\n",
     "31: the count is not an integer from 1 to 1000000; change it"},
    {"sweep: {grid: {batch.softcap: {linspace: [1, x, 3]}}}\n", "46: 'x' is not a number; write it as 12, 0.5 or 1e-3"},
    {"sweep: {grid: {batch.softcap: {logspace: [0, 2, 3]}}}\n",
     "31: logspace has an end that is not positive; change it"},
    {"sweep: {grid: {batch.softcap: {range: [1, 2, -1]}}}\n",
     "31: the step does not lead from first to last; change its sign"},
    {"sweep: {grid: {batch.softcap: {range: [0, 1, 1e-9]}}}\n",
     "31: the range has more than 1000000 values; take larger steps"},
    {"sweep: {grid: {batch.softcap: {pow2: [0.5, 2]}}}\n",
     "31: pow2 takes the first and the last exponent; write integers such as [0, 6]"},
    {"sweep: {grid: {batch.softcap: {linspace: [-1e308, 1e308, 5]}}}\n",
     "31: the series leaves the range of 64-bit floats; choose nearer ends"},
    {"sweep: {grid: {cache.num_layers: {linspace: [1, 2, 3]}}}\n",
     "34: the series gives 1.5, but cache.num_layers takes integers; choose ends and step so that all values are "
     "integers"},
    {"sweep: {grid: {cache.layout: {pow2: [1, 2]}}}\n",
     "30: cache.layout takes a text, no series of numbers; write a list of values"},
    {"sweep: {zip: {cache.layout: [hnd]}}\n",
     "14: zip holds a map, no list of maps of keys to values; write '- {cache.layout: [nhd, hnd], cache.block_size: "
     "[16, 32]}'"},
    {"sweep: {zip: [[hnd]]}\n",
     "16: a row of zip holds 'hnd', no map of keys to values; write '- {cache.layout: nhd, cache.block_size: 16}'"},
    {"sweep: {zip: [[]]}\n",
     "15: zip holds a list, no map of keys to values; write '- {cache.layout: [nhd, hnd], cache.block_size: [16, "
     "32]}'"},
    {"sweep: {zip: [[{cache.layout: hnd}, {cache.layout: hnd, cache.block_size: 16}]]}\n",
     "15: the values at position 2 stand together twice; remove one of them"},
    {"sweep: {zip: [[{cache.layout: hnd}, {cache.block_size: 24}]]}\n",
     "56: block_size 24 is not supported; use 8, 16, 32, 64, 128 or 256"},
    {"sweep: {zip: [{cache.layout: [hnd, nhd], cache.block_size: [16]}]}\n",
     "42: 'cache.block_size' has 1 values but 'cache.layout' has 2; give the keys of one zip equally many values"},
    {"sweep: {zip: [{cache.layout: [hnd, hnd], cache.block_size: [16, 16]}]}\n",
     "15: the values at position 2 stand together twice; remove one of them"},
    {"sweep: {zip: [{cache.layout: [hnd]}, {cache.layout: [nhd]}]}\n",
     "39: another axis sweeps this key (f.yaml:4:16); remove one of them"},
    {"base: {cache: {layout: hnd}}\nsweep: {grid: {cache.layout: [nhd]}}\n", nullptr},
};

}  // namespace

TEST_CASE("a wrong sweep is answered by its place and what is allowed", "[experiments][plan]") {
  const BadSweep bad = GENERATE(from_range(bad_sweeps));
  CAPTURE(bad.text);

  const std::string message = complaint(example_text(bad.text));

  CHECK(message == (bad.message != nullptr ? std::string("f.yaml:4:") + bad.message
                                           : "f.yaml:5:16: base gives this key a fixed value (f.yaml:4:24); remove the "
                                             "value or the axis"));
}

TEST_CASE("a sweep path that is no key of base names the nearest one", "[experiments][plan]") {
  const std::string message = complaint(example_text("sweep: {grid: {cache.layot: [hnd]}}\n"));
  CHECK(message.starts_with("f.yaml:4:16: sweep path 'cache.layot' is no key of base; use one of cache.layout, "));
  CHECK(message.ends_with("(did you mean 'cache.layout'?)"));
}

TEST_CASE("a sweep with too many points is refused before it is expanded", "[experiments][plan]") {
  const std::string message =
      complaint(example_text("sweep:\n  grid:\n    batch.context_length: {range: [1, 1000000]}\n    seed: [1]\n"
                             "    batch.sliding_window: {range: [1, 1000]}\n"));
  CHECK(message.find("f.yaml:6:5: the sweep has more than 10000000 points; leave out values or keys") !=
        std::string::npos);
}

TEST_CASE("series give their values in order, ends included", "[experiments][plan]") {
  CHECK(values_of("cache.num_layers: {range: [1, 9, 2]}") == integers({1, 3, 5, 7, 9}));
  CHECK(values_of("cache.num_layers: {range: [1, 8, 3]}") == integers({1, 4, 7}));
  CHECK(values_of("cache.num_layers: {range: [3, 1, -1]}") == integers({3, 2, 1}));
  CHECK(values_of("cache.num_layers: {range: [2, 4]}") == integers({2, 3, 4}));
  CHECK(values_of("cache.block_size: {pow2: [3, 6]}") == integers({8, 16, 32, 64}));
  CHECK(values_of("batch.fragmentation: {linspace: [0, 1, 5]}") == std::vector<FieldValue>{0.0, 0.25, 0.5, 0.75, 1.0});
  CHECK(values_of("batch.fragmentation: {range: [0, 0.3, 0.1]}").size() == 4);
}

TEST_CASE("a logarithmic series keeps its ends exactly", "[experiments][plan]") {
  const std::vector<FieldValue> values = values_of("batch.softcap: {logspace: [0.3, 30, 3]}");
  REQUIRE(values.size() == 3);
  CHECK(std::get<double>(values[0]) == 0.3);
  CHECK(std::abs(std::get<double>(values[1]) - 3.0) < 1e-12);
  CHECK(std::get<double>(values[2]) == 30.0);
}

TEST_CASE("rows of one zip leave the keys they do not name at their defaults", "[experiments][plan]") {
  const ExperimentConfig experiment =
      parse(example_text("sweep:\n"
                         "  zip:\n"
                         "    - - {cache.layout: hnd}\n"
                         "      - {cache.block_size: 64, cache.layout: nhd}\n"
                         "      - {cache.block_size: 32}\n"));

  REQUIRE(experiment.sweep.axes.size() == 1);
  CHECK(experiment.sweep.axes[0].paths == std::vector<std::string>{"cache.layout", "cache.block_size"});
  const auto row = [](const char* layout, std::int64_t size) {
    return std::vector<FieldValue>{std::string(layout), size};
  };
  CHECK(experiment.sweep.axes[0].values ==
        std::vector<std::vector<FieldValue>>{row("hnd", 16), row("nhd", 64), row("split_x", 32)});
}

TEST_CASE("keys of one zip take their values together, and a grid varies slower", "[experiments][plan]") {
  const ExperimentConfig experiment =
      parse(example_text("sweep:\n"
                         "  zip:\n"
                         "    - {cache.layout: [hnd, nhd, hnd], cache.block_size: {pow2: [4, 6]}}\n"
                         "  grid: {cache.num_layers: [1, 2]}\n"));

  REQUIRE(experiment.sweep.axes.size() == 2);
  CHECK(experiment.sweep.axes[0].paths == std::vector<std::string>{"cache.num_layers"});
  CHECK(experiment.sweep.axes[1].paths == std::vector<std::string>{"cache.layout", "cache.block_size"});
  const auto row = [](const char* layout, std::int64_t size) {
    return std::vector<FieldValue>{std::string(layout), size};
  };
  CHECK(experiment.sweep.axes[1].values ==
        std::vector<std::vector<FieldValue>>{row("hnd", 16), row("nhd", 32), row("hnd", 64)});
}

TEST_CASE("an integer written for a number sweeps as a number", "[experiments][plan]") {
  CHECK(values_of("batch.softcap: [0, 30]") == std::vector<FieldValue>{0.0, 30.0});
}

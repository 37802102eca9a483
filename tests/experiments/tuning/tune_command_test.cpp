#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "experiments/archive/archive_reader.hpp"
#include "kernels/cuda/driver_library.hpp"
#include "kernels/cuda/nvrtc_library.hpp"
#include "tests/experiments/run/small_experiment.hpp"
#include "tests/experiments/tuning/tuning_cache.hpp"

using namespace kvarium;
using namespace kvarium::test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

/// The tiny shape with further lines.
std::string with_sweep(const std::string& sweep) { return tiny_shape + "sweep: " + sweep + "\n"; }

}  // namespace

TEST_CASE("a tuning ranks every variant of the shape and is kept beside the cubins", "[experiments][tuning]") {
  const TuningCache cache;

  const CommandResult result = cache.run("tune", tiny_shape);

  CHECK(result.exit_code == 0);
  CHECK_THAT(result.output, StartsWith("2 x 40 tokens, 4/2 heads of 16 float16, float16 split_x in blocks of 16\n") &&
                                ContainsSubstring("\nrank  family") && ContainsSubstring("\n3     host") &&
                                ContainsSubstring("3 of 3 variants passed") && ContainsSubstring("3 passed") &&
                                ContainsSubstring("variant.family auto consults this archive from now on"));
  REQUIRE(cache.tunings().size() == 1);
  CHECK_THAT(cache.tunings()[0], StartsWith("tiny.20"));
  CHECK(run_program({"inspect", cache.tuning(cache.tunings()[0]).string()}).exit_code == 0);
}

TEST_CASE("a second tuning is a file of its own", "[experiments][tuning]") {
  const TuningCache cache;
  cache.run("tune", tiny_shape);
  REQUIRE(cache.tunings().size() == 1);
  const std::filesystem::path first = cache.tuning(cache.tunings()[0]);
  const std::string bytes = read_bytes(first);

  CHECK(cache.run("tune", tiny_shape).exit_code == 0);

  CHECK(cache.tunings().size() == 2);
  CHECK(read_bytes(first) == bytes);
}

TEST_CASE("a tuning tries its variants at every shape of the file, shape after shape", "[experiments][tuning]") {
  const TuningCache cache;
  const std::filesystem::path output = cache.file("shapes.kv.h5");

  const CommandResult result =
      cache.run("tune", with_sweep("{grid: {cache.layout: [nhd, hnd], cache.num_layers: [1, 2]}}"),
                {"--output", output.string(), "--set", "variant.block_n=16"});

  CHECK(result.exit_code == 0);
  CHECK_THAT(result.output, ContainsSubstring("variant.family auto does not consult it there; copy it into "));
  const ArchiveContent archive = read_archive(output);
  const Table& points = *archive.find_table("/plan/points");
  CHECK(points.num_rows() == 4);
  CHECK(points.value("cache.layout", 1) == Value("nhd"));
  CHECK(points.value("cache.num_layers", 1) == Value(2));
  CHECK(points.value("variant.block_n", 3) == Value(16));
  CHECK(points.value("variant.family", 3) == Value("host"));
}

TEST_CASE("a tuning that was stopped continues into its own file", "[experiments][tuning]") {
  const TuningCache cache;
  const std::filesystem::path output = cache.file("stopped.kv.h5");
  cache.run("tune", tiny_shape, {"--output", output.string()});
  forget_last_points(output, 2);

  const CommandResult result = cache.run("tune", tiny_shape, {"--output", output.string()});

  CHECK(result.exit_code == 0);
  CHECK_THAT(result.errors, ContainsSubstring("continues after 1 of 3 points"));
  CHECK(read_archive(output).complete);
}

TEST_CASE("a shape that cannot run is left out of a tuning and named", "[experiments][tuning]") {
  const TuningCache cache;

  const CommandResult result =
      cache.run("tune",
                with_sweep("{grid: {cache.layout: [hnd, split_x], cache.element_type: [float8_e4m3], "
                           "cache.block_size: [32, 16]}}"),
                {"--set", "cache.head_size=24", "--set", "variant.block_n=16"});

  CHECK(result.exit_code == 0);
  CHECK_THAT(result.errors, ContainsSubstring("left out: 2 x 40 tokens, 4/2 heads of 24 float16, float8_e4m3 split_x "
                                              "in blocks of 16: head_size 24"));
}

TEST_CASE("a dry tuning says what it would measure, and which kernels spill, without a device",
          "[experiments][tuning]") {
  const TuningCache cache;
  if (attention_families().find("v2_faithful") == nullptr) SKIP("this build has no CUDA families");
  if (find_nvrtc_library() == nullptr) SKIP("NVRTC was not found");
  const std::string text =
      "schema: 1\nname: dry\nkind: decode_attention\ndevice: cuda\n"
      "base:\n"
      "  cache: {element_type: bfloat16, num_kv_heads: 2, query_heads_per_kv_head: 8}\n"
      "  batch: {query_type: bfloat16}\n"
      "  variant: {family: v2_faithful, combine: dependent_launch, device_profile: h200}\n"
      "sweep: {grid: {cache.head_size: [64, 192]}}\n";

  const CommandResult result = cache.run("tune", text, {"--dry-run"});

  CHECK(result.exit_code == 0);
  CHECK_THAT(result.output, ContainsSubstring("dry: kind decode_attention, points "));
  CHECK(cache.tunings().empty());
  if (result.errors.empty()) SKIP("this NVRTC spills nothing here");
  CHECK_THAT(result.errors, ContainsSubstring("left out: 1 x 1024 tokens, 16/2 heads of 192 bfloat16, bfloat16 split_x "
                                              "in blocks of 16: v2_faithful partition_size 512 block_n 64 stages 2 "
                                              "warps 4 combine dependent_launch spills registers\n"));
}

TEST_CASE("what cannot be tuned is one clear line", "[experiments][tuning]") {
  const TuningCache cache;
  const auto [text, message] = GENERATE(table<std::string, std::string>({
      {small_experiment,
       "experiment.yaml: kind fault_impact measures no single variant; tune a file of kind "
       "decode_attention\n"},
      {tiny_shape + "sweep: {grid: {variant.block_n: [16, 32]}}\n",
       "experiment.yaml: sweeps variant.block_n, which `kvarium tune` varies itself; remove the axis, or fix one "
       "value\n"},
      {tiny_shape + "sweep: {grid: {variant.verification: [xor_fold]}}\n", "verification 'xor_fold' is not known"},
  }));

  const CommandResult result = cache.run("tune", text);

  CHECK(result.exit_code == 2);
  CHECK(result.output.empty());
  CHECK_THAT(result.errors, ContainsSubstring(message));
  CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
  CHECK(cache.tunings().empty());
}

TEST_CASE("without a folder for tunings the remedy is named", "[experiments][tuning]") {
  const TuningCache cache;
  std::vector<std::pair<const char*, std::string>> taken;
  for (const char* name : {"KVARIUM_CACHE", "XDG_CACHE_HOME", "HOME"}) {
    if (const char* value = std::getenv(name)) taken.emplace_back(name, value);
    unsetenv(name);
  }

  const CommandResult result = cache.run("tune", tiny_shape);

  for (const auto& [name, value] : taken) setenv(name, value.c_str(), 1);
  CHECK(result.exit_code == 2);
  CHECK_THAT(result.errors, ContainsSubstring("set KVARIUM_CACHE, or name a file with --output"));
}

TEST_CASE("a GPU is tuned, verified and not, and its archive is consulted there", "[experiments][tuning][gpu]") {
  if (!missing_device_reason().empty()) SKIP("no GPU: " << missing_device_reason());
  const TuningCache cache;
  const std::string text =
      "schema: 1\nname: gpu\nkind: decode_attention\ndevice: cuda\nlimits: {min_time_seconds: 0, max_samples: 3}\n"
      "base:\n"
      "  cache: {layout: hnd, head_size: 64, num_kv_heads: 2}\n"
      "  batch: {num_sequences: 3, context_length: 700}\n"
      "  variant: {family: auto, warps: 8, block_n: 32}\n"
      "sweep: {grid: {variant.verification: [none, weighted_sum, mixed_sum]}}\n";

  const CommandResult tuned = cache.run("tune", text);
  const CommandResult run = cache.run("run", text, {"--output", cache.file("run.kv.h5").string()});

  CAPTURE(tuned.errors, run.errors);
  CHECK(tuned.exit_code == 0);
  CHECK(run.exit_code == 0);
  const ArchiveContent archive = read_archive(cache.file("run.kv.h5"));
  const Table& points = *archive.find_table("/plan/points");
  for (std::size_t point = 0; point < 3; ++point) {
    CHECK(to_string(points.value("chosen.source", point)) == cache.tunings().at(0));
    CHECK(points.value("chosen.verification", point) == points.value("variant.verification", point));
    CHECK(points.value("chosen.warps", point) == Value(8));
  }
}

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "experiments/archive/archive_reader.hpp"
#include "experiments/tuning/point_variant.hpp"
#include "tests/experiments/run/small_experiment.hpp"
#include "tests/experiments/tuning/tuning_cache.hpp"

using namespace kvarium;
using namespace kvarium::test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

namespace {

/// A column of /plan/points at point 0 of a run of the tiny shape.
class ChosenBy {
 public:
  explicit ChosenBy(const TuningCache& cache, const std::vector<std::string>& arguments = {}) {
    std::vector<std::string> all{"--output", cache.file("run.kv.h5").string()};
    all.insert(all.end(), arguments.begin(), arguments.end());
    result = cache.run("run", tiny_shape, all);
    REQUIRE(result.exit_code == 0);
    archive_ = read_archive(cache.file("run.kv.h5"));
  }

  std::string operator()(const std::string& column) const {
    const Column& values = archive_.find_table("/plan/points")->column(column);
    return values.text(0);
  }

  CommandResult result;

 private:
  ArchiveContent archive_;
};

/// Changes a fact of every run of an archive.
auto with_fact(const std::string& name, const Value& value) {
  return [name, value](ArchiveContent& content) {
    for (RunProvenance& run : content.runs) {
      for (auto& [fact, held] : run) {
        if (fact == name) held = value;
      }
    }
  };
}

}  // namespace

TEST_CASE("without a tuning the rule chooses, and the archive says so", "[experiments][tuning]") {
  const TuningCache cache;

  const ChosenBy chosen(cache);

  CHECK(chosen("chosen.family") == "host");
  CHECK(chosen("chosen.partition_size") == "32");
  CHECK(chosen("chosen.block_n") == "64");
  CHECK(chosen("chosen.combine") == "kernel");
  CHECK(chosen("chosen.source") == "rule");
  CHECK(chosen("chosen.extrapolated") == "no");
  CHECK_THAT(chosen.result.output,
             ContainsSubstring("host partition_size 32 block_n 64 stages 2 warps 4 combine kernel (rule)"));
}

TEST_CASE("a stored tuning decides which variant runs", "[experiments][tuning]") {
  const TuningCache cache;
  const int fastest = GENERATE(32, 128);
  cache.store("stored.kv.h5", fastest);

  const ChosenBy chosen(cache);

  CHECK(chosen("chosen.block_n") == std::to_string(fastest));
  CHECK(chosen("chosen.source") == "stored.kv.h5");
  CHECK(chosen("chosen.extrapolated") == "no");
}

TEST_CASE("the newest of two tunings decides", "[experiments][tuning]") {
  const TuningCache cache;
  cache.store("a.kv.h5", 32);
  cache.store("b.kv.h5", 128);
  const auto now = std::filesystem::last_write_time(cache.tuning("b.kv.h5"));
  const std::string newest = GENERATE("a.kv.h5", "b.kv.h5");
  std::filesystem::last_write_time(cache.tuning(newest), now + std::chrono::seconds(5));

  CHECK(ChosenBy(cache)("chosen.source") == newest);
}

TEST_CASE("a tuning of a nearby shape is taken and called an extrapolation", "[experiments][tuning]") {
  const TuningCache cache;
  cache.store("stored.kv.h5", 128);

  const ChosenBy chosen(cache, {"--set", "batch.context_length=100", "--set", "batch.num_sequences=3"});

  CHECK(chosen("chosen.block_n") == "128");
  CHECK(chosen("chosen.extrapolated") == "yes");
}

TEST_CASE("a tuning of a shape far away or of another kind is not taken", "[experiments][tuning]") {
  const TuningCache cache;
  cache.store("stored.kv.h5", 128);
  const std::string other = GENERATE("batch.context_length=200", "batch.num_sequences=9", "cache.layout=nhd",
                                     "cache.head_size=24", "cache.query_heads_per_kv_head=1", "variant.block_n=48");

  CHECK(ChosenBy(cache, {"--set", other})("chosen.source") == "rule");
}

TEST_CASE("a tuning of another device or version is passed over", "[experiments][tuning]") {
  const TuningCache cache;
  const auto change = GENERATE(values<std::pair<std::string, Value>>(
      {{"cpu_model", "another"}, {"threads", 1000}, {"kvarium_version", "0.0.1"}, {"device", "cuda"}}));
  cache.store("stored.kv.h5", 128, with_fact(change.first, change.second));

  CHECK(ChosenBy(cache)("chosen.source") == "rule");
}

TEST_CASE("a shape that a tuning has not measured whole is not taken from it", "[experiments][tuning]") {
  const TuningCache cache;
  cache.store("stored.kv.h5", 32);
  forget_last_points(cache.tuning("stored.kv.h5"), 1);

  CHECK(ChosenBy(cache)("chosen.source") == "rule");
}

TEST_CASE("a damaged or foreign file in the tuning folder is one clear line", "[experiments][tuning]") {
  const std::string command = GENERATE("validate", "plan", "run");
  const TuningCache cache;
  cache.store("stored.kv.h5", 32);
  const std::string whole = read_bytes(cache.tuning("stored.kv.h5"));
  const std::filesystem::path bad = cache.tuning("bad.kv.h5");
  std::string cause;

  SECTION("cut off") {
    write_bytes(bad, whole.substr(0, whole.size() / 2));
    cause = "truncated";
  }
  SECTION("no HDF5 file") {
    write_bytes(bad, "hello");
    cause = "HDF5";
  }
  SECTION("an archive that is no tuning") {
    run_small(bad);
    cause = "no tuning";
  }
  SECTION("a block size that there is not") {
    cache.store("bad.kv.h5", 32, [](ArchiveContent& content) {
      for (Table& table : content.tables) {
        if (table.schema().path != "/plan/points") continue;
        Table changed(table.schema());
        for (std::size_t row = 0; row < table.num_rows(); ++row) {
          std::vector<Value> values = table.row(row);
          values[static_cast<std::size_t>(table.schema().find("cache.block_size"))] = 17;
          changed.append_row(values);
        }
        table = changed;
      }
    });
    cause = "block_size 17";
  }

  const CommandResult result = cache.run(command, tiny_shape);

  CHECK(result.exit_code == 2);
  CHECK_THAT(result.errors, StartsWith("kvarium: " + bad.string()) && ContainsSubstring(cause) &&
                                EndsWith("remove it from the tuning folder)\n"));
  CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
}

TEST_CASE("an experiment that names its family reads no tunings", "[experiments][tuning]") {
  const TuningCache cache;
  std::filesystem::create_directories(cache.tuning("").parent_path());
  write_bytes(cache.tuning("bad.kv.h5"), "hello");

  CHECK(cache.run("validate", tiny_shape, {"--set", "variant.family=host"}).exit_code == 0);
}

TEST_CASE("plans with family auto are validated and shown without a device", "[experiments][tuning]") {
  const TuningCache cache;
  const std::string device = GENERATE("cpu", "cuda");

  CHECK_THAT(cache.run("validate", tiny_shape, {"--device", device}).output, ContainsSubstring("points 1 (skipped 0)"));
  const CommandResult plan =
      cache.run("plan", tiny_shape + "sweep: {grid: {cache.layout: [hnd, packed]}}\n", {"--device", device});
  CHECK(plan.exit_code == 0);
  CHECK_THAT(plan.output, ContainsSubstring("points 2 (skipped 0)"));
}

TEST_CASE("verification beside family auto is kept, and refused where the family cannot", "[experiments][tuning]") {
  const TuningCache cache;
  const std::string key = "variant.verification=" + GENERATE(as<std::string>(), "weighted_sum", "mixed_sum");

  const CommandResult on_cpu = cache.run("validate", tiny_shape, {"--set", key});
  const CommandResult on_gpu = cache.run("validate", tiny_shape, {"--set", key, "--device", "cuda"});

  CHECK(on_cpu.exit_code == 0);
  if (attention_families().find("gqa_packed") == nullptr) SKIP("this build has no CUDA families");
  CHECK(on_gpu.exit_code == 0);
  const CommandResult plain =
      cache.run("validate", tiny_shape, {"--set", key, "--set", "variant.family=v2_faithful", "--device", "cuda"});
  CHECK(plain.exit_code == 2);
  CHECK_THAT(plain.errors, ContainsSubstring("family v2_faithful cannot verify the cache; set verification: none"));
}

TEST_CASE("a family that is given stands beside one that is chosen", "[experiments][tuning]") {
  const TuningCache cache;
  const std::filesystem::path output = cache.file("both.kv.h5");
  std::string text = tiny_shape;
  text.replace(text.find("family: auto, "), 14, "");

  const CommandResult result = cache.run("run", text + "sweep: {grid: {variant.family: [host_reference, auto]}}\n",
                                         {"--output", output.string()});

  CHECK(result.exit_code == 0);
  const ArchiveContent archive = read_archive(output);
  const Table& points = *archive.find_table("/plan/points");
  CHECK(points.value("chosen.source", 0) == Value("given"));
  CHECK(points.value("chosen.family", 0) == Value("host_reference"));
  CHECK(points.value("chosen.source", 1) == Value("rule"));
  CHECK(points.value("chosen.family", 1) == Value("host"));
}

TEST_CASE("a replay runs the variant that was chosen then", "[experiments][tuning]") {
  const TuningCache cache;
  cache.store("stored.kv.h5", 32);
  const ChosenBy chosen(cache);
  const std::string archive = cache.file("run.kv.h5").string();
  write_bytes(cache.tuning("stored.kv.h5"), "");
  std::filesystem::remove(cache.tuning("stored.kv.h5"));

  const CommandResult replayed = run_program({"replay", archive, "--trial", "0"});
  const CommandResult again = cache.run("run", tiny_shape, {"--output", archive});

  CHECK(replayed.exit_code == 0);
  CHECK_THAT(replayed.output, EndsWith("\nequal\n"));
  CHECK(again.exit_code == 0);
  CHECK_THAT(again.errors, ContainsSubstring("complete already"));
  CHECK_THAT(again.output, ContainsSubstring("block_n 32 stages 2 warps 4 combine kernel (stored.kv.h5)"));
}

TEST_CASE("sequences of many lengths count by their mean, and a window by its tokens", "[experiments][tuning]") {
  BaseConfig base;
  base.batch.context_length = 1000;
  CHECK(attended_tokens(base) == 1000);
  base.batch.sliding_window = 300;
  CHECK(attended_tokens(base) == 300);
  base.batch.sliding_window = 0;
  base.batch.min_context_length = 10;
  CHECK(attended_tokens(base) == 215);  // 990 / ln 100
}

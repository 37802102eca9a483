#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/experiments/commands/captured_output.hpp"
#include "tests/experiments/commands/temporary_experiment.hpp"

using namespace kvarium::test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using nlohmann::json;
using Arguments = std::vector<std::string>;

TEST_CASE("every command explains itself and succeeds", "[experiments][commands]") {
  const Arguments command = GENERATE(Arguments{}, Arguments{"run"}, Arguments{"plan"}, Arguments{"validate"},
                                     Arguments{"tune"}, Arguments{"list"}, Arguments{"list", "faults"},
                                     Arguments{"list", "schema"}, Arguments{"inspect"}, Arguments{"replay"});
  Arguments arguments = command;
  arguments.emplace_back("--help");

  const CommandResult result = run_program(arguments);

  CHECK(result.exit_code == 0);
  CHECK_THAT(result.output, ContainsSubstring("--help"));
  CHECK(result.errors.empty());
}

TEST_CASE("the version is one line", "[experiments][commands]") {
  const CommandResult result = run_program({"--version"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.output, StartsWith("kvarium 0."));
}

TEST_CASE("a wrong command line is one clear line and exit code 2", "[experiments][commands]") {
  const Arguments arguments =
      GENERATE(Arguments{}, Arguments{"rnu"}, Arguments{"--frobnicate"}, Arguments{"run"},
               Arguments{"run", "f.yaml", "--nope"}, Arguments{"list"}, Arguments{"list", "everything"},
               Arguments{"replay", "f.h5"}, Arguments{"replay", "f.h5", "--trial", "x"},
               Arguments{"replay", "f.h5", "--trial", "-1"}, Arguments{"run", "f.yaml", "--device", "gpu"},
               Arguments{"run", "f.yaml", "--set"}, Arguments{"plan", "f.yaml", "g.yaml"});
  CAPTURE(arguments);

  const CommandResult result = run_program(arguments);

  CHECK(result.exit_code == 2);
  CHECK(result.output.empty());
  CHECK_THAT(result.errors, StartsWith("kvarium: ") && ContainsSubstring("--help'"));
  CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
}

TEST_CASE("the word nobody knows is named, with what was probably meant", "[experiments][commands]") {
  const auto [arguments, message] = GENERATE(table<Arguments, std::string>({
      {{"rnu"},
       "unknown command 'rnu'; use one of run, plan, validate, tune, list, inspect, replay, report, recover (did you mean "
       "'run'?); "
       "see 'kvarium --help'"},
      {{"list", "fautls"},
       "unknown command 'fautls'; use one of variants, checksums, faults, presets, kinds, devices, tunings, keys, "
       "schema "
       "(did you mean 'faults'?); see 'kvarium list --help'"},
      {{"run", "--hlep"},
       "unknown option '--hlep'; use one of --help, --set, --device, --output, --dry-run (did you "
       "mean '--help'?); see 'kvarium run --help'"},
      {{"run", "f.yaml", "--ouput", "x"},
       "unknown option '--ouput'; use one of --help, --set, --device, --output, "
       "--dry-run (did you mean '--output'?); see 'kvarium run --help'"},
      {{"plan", "f.yaml", "g.yaml"},
       "'g.yaml' is one word too many; remove it, or put a text with spaces in quotes; "
       "see 'kvarium plan --help'"},
  }));

  CHECK(run_program(arguments).errors == "kvarium: " + message + "\n");
}

TEST_CASE("a trial is a whole number from 0 on", "[experiments][commands]") {
  const std::string trial = GENERATE("-1", "1.5", "x", "0x1", "99999999999999999999", "");

  const CommandResult result = run_program({"replay", "f.h5", "--trial", trial});

  CHECK(result.exit_code == 2);
  CHECK_THAT(result.errors, ContainsSubstring("'" + trial + "' is no row of /trials; write a whole number from 0 on"));
}

TEST_CASE("an override with a line end in it is answered in one line", "[experiments][commands]") {
  const TemporaryExperiment file(skipping_experiment);

  const CommandResult result = run_program({"validate", file.path(), "--set", "name=a\nb"});

  CHECK(result.exit_code == 2);
  CHECK_THAT(result.errors, StartsWith("kvarium: --set name=a b: name 'a b' has other letters"));
  CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
}

TEST_CASE("a wrong file is a line for each error and exit code 2", "[experiments][commands]") {
  const std::string command = GENERATE("run", "plan", "validate");
  const TemporaryExperiment file("schema: 1\nname: a b\nkind: decode_attention\nsed: 3\n");

  const CommandResult result = run_program({command, file.path()});

  CHECK(result.exit_code == 2);
  CHECK(result.output.empty());
  CHECK_THAT(result.errors, StartsWith("kvarium: " + file.path() + ":2:7: name 'a b' has other letters"));
  CHECK_THAT(result.errors, ContainsSubstring("\nkvarium: " + file.path() + ":4:1: unknown key 'sed'"));
  CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 2);
}

TEST_CASE("a missing file is one line and exit code 2", "[experiments][commands]") {
  const std::string command = GENERATE("run", "plan", "validate", "inspect");
  const CommandResult result = run_program({command, "/nowhere/f.yaml"});
  CHECK(result.exit_code == 2);
  CHECK_THAT(result.errors, StartsWith("kvarium: ") && ContainsSubstring("/nowhere/f.yaml"));
}

TEST_CASE("validate tells programs what is wrong as JSON", "[experiments][commands]") {
  const TemporaryExperiment file("schema: 1\nname: example\nkind: nothing\n");

  const CommandResult result = run_program({"validate", file.path(), "--json"});

  CHECK(result.exit_code == 2);
  const json report = json::parse(result.output);
  CHECK(report.at("valid") == false);
  REQUIRE(report.at("errors").size() == 1);
  CHECK_THAT(report.at("errors")[0].get<std::string>(), ContainsSubstring(":3:7: kind 'nothing' is not known"));
}

TEST_CASE("validate counts points, skipped points and replicates", "[experiments][commands]") {
  const TemporaryExperiment file(skipping_experiment);

  const CommandResult text = run_program({"validate", file.path()});
  const CommandResult as_json = run_program({"validate", file.path(), "--json"});

  CHECK(text.exit_code == 0);
  CHECK(text.output == "valid: example: kind decode_attention, points 4 (skipped 1), replicates 3\n");
  const json report = json::parse(as_json.output);
  CHECK(report.at("valid") == true);
  CHECK(report.at("num_points") == 4);
  CHECK(report.at("num_skipped") == 1);
  CHECK(report.at("replicates") == 3);
}

TEST_CASE("plan and a dry run show each point with the reason to skip it", "[experiments][commands]") {
  const TemporaryExperiment file(skipping_experiment);

  const CommandResult plan = run_program({"plan", file.path()});
  const CommandResult dry = run_program({"run", file.path(), "--dry-run"});
  const CommandResult as_json = run_program({"plan", file.path(), "--json"});

  CHECK(plan.exit_code == 0);
  CHECK(plan.output == dry.output);
  CHECK_THAT(plan.output, ContainsSubstring("head_size 72 does not fit layout split_x of float8_e4m3"));
  const json report = json::parse(as_json.output);
  REQUIRE(report.at("points").size() == 4);
  CHECK(report.at("points")[0].at("skip_reason").is_null());
  CHECK(report.at("points")[1].at("skip_reason").is_string());
  CHECK(report.at("points")[3].at("values") == json{{"cache.layout", "hnd"}, {"cache.element_type", "float8_e4m3"}});
  CHECK(report.at("points")[3].at("id").get<std::string>().size() == 16);
}

TEST_CASE("several files are validated at once, whatever is wrong with the first", "[experiments][commands]") {
  const TemporaryExperiment wrong("schema: 1\nname: example\nkind: nothing\n");
  const TemporaryExperiment right(skipping_experiment);

  const CommandResult text = run_program({"validate", wrong.path(), right.path()});
  const CommandResult as_json = run_program({"validate", "--json", wrong.path(), right.path()});

  CHECK(text.exit_code == 2);
  CHECK_THAT(text.errors, StartsWith("kvarium: " + wrong.path() + ":3:7: kind 'nothing' is not known"));
  CHECK_THAT(text.output, StartsWith("valid: example:"));
  CHECK(as_json.exit_code == 2);
  const json reports = json::parse(as_json.output);
  REQUIRE(reports.size() == 2);
  CHECK(reports[0].at("file") == wrong.path());
  CHECK(reports[0].at("valid") == false);
  CHECK(reports[1].at("valid") == true);
}

TEST_CASE("plan says what a run takes as far as that is known", "[experiments][commands]") {
  const TemporaryExperiment file(
      "schema: 1\nname: example\nkind: fault_coverage\nreplicates: {count: 50, interval_width: 0.1}\n"
      "controls: {dummy_injections: 5}\n"
      "base: {cache: {head_size: 72, num_kv_heads: 1}, batch: {context_length: 40}, checksum: {family: crc32c}}\n"
      "sweep: {grid: {cache.layout: [split_x, hnd], cache.element_type: [float16, float8_e4m3], fault.model: "
      "[stale_block]}}\n");

  const std::string text = run_program({"plan", file.path()}).output;
  const json report = json::parse(run_program({"plan", file.path(), "--json"}).output);

  CHECK_THAT(text, ContainsSubstring("\ntrials: at most 165\nmemory: ") &&
                       ContainsSubstring("\ntime: unknown until a point has run; --from ARCHIVE reads "));
  CHECK(report.at("most_trials") == 165);
  CHECK(report.at("most_memory_bytes").get<double>() > 40 * 2 * 72 * 2);
  CHECK(report.at("estimated_seconds").is_null());
}

TEST_CASE("plan takes its time from an archive of the same plan alone", "[experiments][commands]") {
  const TemporaryExperiment file(
      "schema: 1\nname: example\nkind: fault_coverage\nreplicates: 2\n"
      "base: {cache: {num_kv_heads: 1}, batch: {context_length: 40}, checksum: {family: crc32c}}\n"
      "sweep: {grid: {fault.model: [stale_block, late_write]}}\n");
  const std::string archive = file.path() + ".kv.h5";
  REQUIRE(run_program({"run", file.path(), "--output", archive}).exit_code == 0);

  const CommandResult same = run_program({"plan", file.path(), "--from", archive});
  const CommandResult other = run_program({"plan", file.path(), "--from", archive, "--set", "replicates=3"});

  CHECK_THAT(same.output, ContainsSubstring("for the 2 points that can run, 0 s for those that have not (2 took "));
  CHECK(other.exit_code == 2);
  CHECK(other.errors == "kvarium: " + archive + ": holds another plan; name an archive of this one\n");
}

TEST_CASE("plan writes every point and prints the ends of a long table", "[experiments][commands]") {
  const TemporaryExperiment file(
      "schema: 1\nname: example\nkind: decode_attention\n"
      "sweep: {grid: {batch.num_sequences: {range: [1, 60]}}}\n");
  const std::string written = file.path() + ".jsonl";

  const CommandResult result = run_program({"plan", file.path(), "--write", written});

  CHECK_THAT(result.output, ContainsSubstring("\n9 ") && ContainsSubstring("\n...\n55 ") &&
                                ContainsSubstring("\n45 points are left out; --write FILE lists all\n"));
  std::ifstream stream(written);
  std::vector<json> points;
  for (std::string line; std::getline(stream, line);) points.push_back(json::parse(line));
  REQUIRE(points.size() == 60);
  CHECK(points[59].at("point") == 59);
  CHECK(points[59].at("values") == json{{"batch.num_sequences", 60}});
  CHECK(points[59].at("skip_reason").is_null());
  CHECK(run_program({"plan", file.path(), "--write", "/nowhere/x"}).exit_code == 2);
}

TEST_CASE("chosen points run, continue, report and replay when what they extend is gone", "[experiments][commands]") {
  const TemporaryExperiment parent(
      "schema: 1\nkind: fault_coverage\nreplicates: 2\n"
      "base: {cache: {num_kv_heads: 1}, batch: {context_length: 40}, checksum: {family: crc32c}}\n"
      "sweep:\n"
      "  grid: {fault.model: [stale_block, late_write, torn_write], cache.layout: [hnd, nhd]}\n"
      "  exclude: [{fault.model: late_write, cache.layout: nhd}]\n"
      "  sample: {method: random, count: 3}\n");
  const TemporaryExperiment file("extends: " + parent.path() +
                                 "\nname: child\nsweep: {list: [{fault.model: burst, cache.head_size: 64}]}\n");
  const std::string archive = file.path() + ".kv.h5";
  REQUIRE(run_program({"run", file.path(), "--output", archive}).exit_code == 0);
  const CommandResult again = run_program({"run", file.path(), "--output", archive});
  std::filesystem::remove(parent.path());
  std::filesystem::remove(file.path());

  const CommandResult replay = run_program({"replay", archive, "--trial", "7"});
  const json summary = json::parse(run_program({"inspect", archive, "--json"}).output);

  CHECK_THAT(again.errors, ContainsSubstring("complete already"));
  CHECK(replay.exit_code == 0);
  CHECK_THAT(replay.output, ContainsSubstring("equal"));
  CHECK(run_program({"report", archive}).exit_code == 0);
  CHECK(summary.at("plan").at("num_points") == 4);
  CHECK(summary.at("plan").at("swept_keys") == json{"fault.model", "cache.layout", "cache.head_size"});
  CHECK(summary.at("status").at("passed") == 4);
}

TEST_CASE("overrides reach the plan", "[experiments][commands]") {
  const TemporaryExperiment file(skipping_experiment);
  const CommandResult result =
      run_program({"validate", file.path(), "--set", "cache.head_size=64", "--set", "replicates=2", "--json"});
  CHECK(json::parse(result.output).at("num_skipped") == 0);
  CHECK(json::parse(result.output).at("replicates") == 2);
}

TEST_CASE("a device this build lacks is refused before anything is written", "[experiments][commands]") {
  const TemporaryExperiment file(skipping_experiment);
  const std::string output = file.path() + ".h5";
  const CommandResult result = run_program({"run", file.path(), "--device", "cuda", "--output", output});
  CHECK(result.exit_code == 2);
  CHECK_THAT(result.errors, StartsWith("kvarium: device cuda is not configured"));
  CHECK_FALSE(std::filesystem::exists(output));
}

TEST_CASE("an output without a name is refused before anything is read", "[experiments][commands]") {
  const std::string command = GENERATE("run", "tune");

  const CommandResult result = run_program({command, "absent.yaml", "--output", ""});

  CHECK(result.exit_code == 2);
  CHECK_THAT(result.errors, StartsWith("kvarium: --output: the name is empty"));
}

TEST_CASE("list shows every registry as a table and as JSON", "[experiments][commands]") {
  const auto [what, name] = GENERATE(std::pair{"variants", "host_reference"}, std::pair{"checksums", "weighted_sum"},
                                     std::pair{"faults", "stale_block"}, std::pair{"kinds", "fault_impact"},
                                     std::pair{"devices", "cuda"}, std::pair{"keys", "base.cache.layout"});

  const CommandResult text = run_program({"list", what});
  const CommandResult as_json = run_program({"list", what, "--json"});

  CHECK(text.exit_code == 0);
  CHECK_THAT(text.output, ContainsSubstring(name));
  const json rows = json::parse(as_json.output);
  CHECK(std::any_of(rows.begin(), rows.end(), [&](const json& row) { return row.at("name") == name; }));
}

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "experiments/archive/archive_reader.hpp"
#include "experiments/archive/archive_writer.hpp"
#include "experiments/run/row_comparison.hpp"
#include "tests/experiments/archive/temporary_folder.hpp"
#include "tests/experiments/run/small_experiment.hpp"

using namespace kvarium;
using namespace kvarium::test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;

TEST_CASE("every stored trial runs again to the same row", "[experiments][run]") {
  const TemporaryFolder folder;
  run_small(folder / "a.kv.h5");

  for (const int trial : {0, 3, 4, 15}) {
    CAPTURE(trial);
    const CommandResult result =
        run_program({"replay", (folder / "a.kv.h5").string(), "--trial", std::to_string(trial)});
    CHECK(result.exit_code == 0);
    CHECK_THAT(result.output, EndsWith("\nequal\n") && ContainsSubstring("/trials[0]/effect"));
  }
}

TEST_CASE("a stored row that was changed is told by its column", "[experiments][run]") {
  const TemporaryFolder folder;
  run_small(folder / "a.kv.h5");
  ArchiveContent content = read_archive(folder / "a.kv.h5");
  for (Table& table : content.tables) {
    if (table.schema().path != "/faults") continue;
    Table changed(table.schema());
    for (std::size_t row = 0; row < table.num_rows(); ++row) {
      std::vector<Value> values = table.row(row);
      if (row == 2) values[static_cast<std::size_t>(table.schema().find("num_changed_bytes"))] = 12345;
      changed.append_row(values);
    }
    table = changed;
  }
  write_archive(folder / "a.kv.h5", content);

  const CommandResult same = run_program({"replay", (folder / "a.kv.h5").string(), "--trial", "1"});
  const CommandResult different = run_program({"replay", (folder / "a.kv.h5").string(), "--trial", "2"});
  const CommandResult as_json = run_program({"replay", (folder / "a.kv.h5").string(), "--trial", "2", "--json"});

  CHECK(same.exit_code == 0);
  CHECK(different.exit_code == 1);
  CHECK_THAT(different.output, EndsWith("\ndifferent: /faults/num_changed_bytes\n") && ContainsSubstring("12345"));
  CHECK(as_json.exit_code == 1);
  CHECK(nlohmann::json::parse(as_json.output).at("different") == nlohmann::json::array({"/faults/num_changed_bytes"}));
}

TEST_CASE("a trial that is not there, or an archive that is none, is refused", "[experiments][run]") {
  const TemporaryFolder folder;
  run_small(folder / "a.kv.h5");
  write_bytes(folder / "text", "text");

  const CommandResult past = run_program({"replay", (folder / "a.kv.h5").string(), "--trial", "16"});
  const CommandResult foreign = run_program({"replay", (folder / "text").string(), "--trial", "0"});
  const CommandResult inspected = run_program({"inspect", (folder / "text").string()});

  CHECK(past.exit_code == 2);
  CHECK_THAT(past.errors, ContainsSubstring("no trial 16 among its 16"));
  CHECK(foreign.exit_code == 2);
  CHECK(inspected.exit_code == 2);
  CHECK(inspected.output.empty());
}

TEST_CASE("inspect shows plan, columns with units, and provenance", "[experiments][run]") {
  const TemporaryFolder folder;
  run_small(folder / "a.kv.h5");

  const CommandResult text = run_program({"inspect", (folder / "a.kv.h5").string()});
  const CommandResult json = run_program({"inspect", (folder / "a.kv.h5").string(), "--json"});

  CHECK(text.exit_code == 0);
  CHECK_THAT(text.output, ContainsSubstring("points: 4 passed, 2 skipped") && ContainsSubstring("/trials: 16 rows") &&
                              ContainsSubstring("cpu_model: ") && ContainsSubstring("fingerprint: "));
  const nlohmann::json summary = nlohmann::json::parse(json.output);
  CHECK(summary.at("complete") == true);
  CHECK(summary.at("status").at("passed") == 4);
  CHECK(summary.at("plan").at("fingerprint") == small_plan().fingerprint());
  CHECK(summary.at("runs").at(0).contains("compiler_flags"));
}

TEST_CASE("rows are compared bit for bit in deterministic columns alone", "[experiments][run]") {
  Table stored(
      {"/t", "row", "", {{"x", ColumnType::float64, "1", ""}, {"t", ColumnType::float64, "s", "", {}, false}}});
  Table replayed(stored.schema());
  stored.append_row({0.0, 1.0});
  stored.append_row({std::nan(""), 1.0});
  stored.append_row({1.0, 1.0});
  replayed.append_row({-0.0, 2.0});
  replayed.append_row({std::nan(""), 2.0});

  const std::vector<ComparedValue> values = compare_rows(stored, replayed);

  REQUIRE(values.size() == 3);
  CHECK_FALSE(values[0].is_equal);
  CHECK(values[1].is_equal);
  CHECK_FALSE(values[2].is_equal);
  CHECK(values[2].replayed == "-");
}

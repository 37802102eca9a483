#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <nlohmann/json.hpp>

#include "experiments/archive/archive_reader.hpp"
#include "experiments/archive/archive_writer.hpp"
#include "tests/experiments/archive/temporary_folder.hpp"
#include "tests/experiments/run/small_experiment.hpp"

using namespace kvarium;
using namespace kvarium::test;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Another number of changed bytes in one row of /faults.
void falsify(const std::filesystem::path& archive, std::size_t fault) {
  ArchiveContent content = read_archive(archive);
  for (Table& table : content.tables) {
    if (table.schema().path != "/faults") continue;
    Table changed(table.schema());
    for (std::size_t row = 0; row < table.num_rows(); ++row) {
      std::vector<Value> values = table.row(row);
      if (row == fault) values[static_cast<std::size_t>(table.schema().find("num_changed_bytes"))] = 12345;
      changed.append_row(values);
    }
    table = changed;
  }
  write_archive(archive, content);
}

CommandResult replay(const std::filesystem::path& archive, const std::vector<std::string>& arguments) {
  std::vector<std::string> all{"replay", archive.string()};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return run_program(all);
}

}  // namespace

TEST_CASE("a random sample of trials runs again to the same rows", "[experiments][run]") {
  const TemporaryFolder folder;
  run_small(folder / "a.kv.h5");

  const CommandResult some = replay(folder / "a.kv.h5", {"--sample", "5", "--seed", GENERATE("0", "3")});
  const CommandResult all = replay(folder / "a.kv.h5", {"--sample", "1000"});

  CHECK(some.exit_code == 0);
  CHECK(some.output == "5 of 16 trials replayed, 5 equal, 0 different\n");
  CHECK(all.exit_code == 0);
  CHECK(all.output == "16 of 16 trials replayed, 16 equal, 0 different\n");
}

TEST_CASE("a sample names the trials that come out otherwise", "[experiments][run]") {
  const TemporaryFolder folder;
  run_small(folder / "a.kv.h5");
  falsify(folder / "a.kv.h5", 2);

  const CommandResult text = replay(folder / "a.kv.h5", {"--sample", "16"});
  const CommandResult as_json = replay(folder / "a.kv.h5", {"--sample", "16", "--json"});

  CHECK(text.exit_code == 1);
  CHECK(text.output ==
        "trial 2 differs in /faults/num_changed_bytes\n16 of 16 trials replayed, 15 equal, 1 different\n");
  CHECK(as_json.exit_code == 1);
  const nlohmann::json result = nlohmann::json::parse(as_json.output);
  CHECK(result.at("equal") == 15);
  CHECK(result.at("different").at(0).at("trial") == 2);
}

TEST_CASE("a replay takes a trial or a sample, and a seed for a sample alone", "[experiments][run]") {
  const std::vector<std::string> arguments =
      GENERATE(std::vector<std::string>{}, std::vector<std::string>{"--sample", "0"},
               std::vector<std::string>{"--sample", "x"}, std::vector<std::string>{"--sample", "2", "--trial", "1"},
               std::vector<std::string>{"--trial", "1", "--seed", "2"},
               std::vector<std::string>{"--sample", "2", "--seed", "-1"});
  CAPTURE(arguments);

  const CommandResult result = replay("f.h5", arguments);

  CHECK(result.exit_code == 2);
  CHECK_THAT(result.errors, ContainsSubstring("see 'kvarium replay --help'"));
}

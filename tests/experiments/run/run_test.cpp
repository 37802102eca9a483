#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <limits>

#include "experiments/archive/archive_reader.hpp"
#include "experiments/archive/archive_writer.hpp"
#include "experiments/run/output_lock.hpp"
#include "tests/experiments/archive/temporary_folder.hpp"
#include "tests/experiments/readers/dump_writer.hpp"
#include "tests/experiments/run/small_experiment.hpp"

using namespace kvarium;
using namespace kvarium::test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

/// The table with the id of its first row in all rows.
Table with_first_id_everywhere(const Table& points) {
  std::vector<Column> columns;
  for (const Column& column : points.columns()) {
    columns.push_back(column);
    if (column.schema().name != "id") continue;
    const std::uint64_t first = column.values<std::uint64_t>().front();
    columns.back() = Column(column.schema(), std::vector<std::uint64_t>(column.size(), first));
  }
  return Table(points.schema(), std::move(columns));
}

}  // namespace

TEST_CASE("a run ends in a complete archive that says where it lies", "[experiments][run]") {
  const TemporaryFolder folder;

  const CommandResult result = run_small(folder / "a.kv.h5");

  CHECK(result.exit_code == 0);
  CHECK_THAT(result.output, ContainsSubstring("4 passed, 2 skipped") &&
                                ContainsSubstring("archive: " + (folder / "a.kv.h5").string()));
  CHECK_THAT(result.output, ContainsSubstring("2 points skipped (first: 1): "));
  const ArchiveContent content = read_archive(folder / "a.kv.h5");
  CHECK(content.complete);
  CHECK(content.runs.size() == 1);
  CHECK(content.find_table("/plan/points")->num_rows() == 6);
}

TEST_CASE("two runs into two outputs give equal deterministic tables", "[experiments][run]") {
  const TemporaryFolder folder;

  run_small(folder / "a.kv.h5");
  run_small(folder / "b.kv.h5");

  const std::vector<Table> first = deterministic_tables(folder / "a.kv.h5");
  REQUIRE(first.size() >= 4);
  CHECK(first == deterministic_tables(folder / "b.kv.h5"));
}

TEST_CASE("a run over its complete archive prints the table and writes nothing", "[experiments][run]") {
  const TemporaryFolder folder;
  run_small(folder / "a.kv.h5");
  const std::string before = read_bytes(folder / "a.kv.h5");

  const CommandResult again = run_small(folder / "a.kv.h5");

  CHECK(again.exit_code == 0);
  CHECK_THAT(again.errors, ContainsSubstring("complete already"));
  CHECK_THAT(again.output, ContainsSubstring("4 passed, 2 skipped"));
  CHECK(read_bytes(folder / "a.kv.h5") == before);
}

TEST_CASE("a stopped run continues to the tables of an uninterrupted one", "[experiments][run]") {
  const int lost = GENERATE(1, 2, 4, 6);
  CAPTURE(lost);
  const TemporaryFolder folder;
  run_small(folder / "whole.kv.h5");
  run_small(folder / "stopped.kv.h5");
  forget_last_points(folder / "stopped.kv.h5", lost);

  const CommandResult result = run_small(folder / "stopped.kv.h5");

  CHECK(result.exit_code == 0);
  const ArchiveContent continued = read_archive(folder / "stopped.kv.h5");
  CHECK(continued.complete);
  CHECK(continued.runs.size() == 2);
  CHECK(continued.history.size() == 2);
  CHECK(deterministic_tables(folder / "stopped.kv.h5") == deterministic_tables(folder / "whole.kv.h5"));
}

TEST_CASE("an archive of another plan is refused with what differs, and left as it is", "[experiments][run]") {
  const TemporaryFolder folder;
  run_small(folder / "a.kv.h5");
  const std::string before = read_bytes(folder / "a.kv.h5");

  const CommandResult result = run_small(folder / "a.kv.h5", {"--set", "batch.context_length=48"});

  CHECK(result.exit_code == 2);
  CHECK(result.output.empty());
  CHECK_THAT(result.errors, ContainsSubstring("holds another plan") &&
                                ContainsSubstring("base.batch.context_length: 40 in the archive, 48 now"));
  CHECK(read_bytes(folder / "a.kv.h5") == before);
}

TEST_CASE("anything else at the output is refused and left as it is", "[experiments][run]") {
  const TemporaryFolder folder;
  run_small(folder / "whole.kv.h5");
  const std::string whole = read_bytes(folder / "whole.kv.h5");
  const std::string contents = GENERATE_COPY(std::string("notes"), std::string(), whole.substr(0, whole.size() / 3));
  write_bytes(folder / "a.kv.h5", contents);

  const CommandResult result = run_small(folder / "a.kv.h5");

  CHECK(result.exit_code == 2);
  CHECK_THAT(result.errors,
             StartsWith("kvarium: " + (folder / "a.kv.h5").string()) && ContainsSubstring("choose another output"));
  CHECK(read_bytes(folder / "a.kv.h5") == contents);
}

TEST_CASE("an archive whose tables do not fit its plan is refused", "[experiments][run]") {
  const TemporaryFolder folder;
  run_small(folder / "a.kv.h5");
  forget_last_points(folder / "a.kv.h5", 1);
  ArchiveContent content = read_archive(folder / "a.kv.h5");
  const std::string path = GENERATE("/trials", "/plan/points", "/summary");
  std::erase_if(content.tables, [&](const Table& table) { return table.schema().path == path; });
  write_archive(folder / "a.kv.h5", content);

  const CommandResult result = run_small(folder / "a.kv.h5");

  CHECK(result.exit_code == 2);
  CHECK_THAT(result.errors, ContainsSubstring("'" + path + "' is missing"));
}

TEST_CASE("an output that cannot be written is found before the run", "[experiments][run]") {
  const TemporaryFolder folder;
  write_bytes(folder / "file", "");
  write_bytes(folder / "small.yaml", small_experiment);

  const CommandResult result =
      run_program({"run", (folder / "small.yaml").string(), "--output", (folder / "file/a.kv.h5").string()});

  CHECK(result.exit_code == 2);
  CHECK_THAT(result.errors, ContainsSubstring("choose another output") && !ContainsSubstring("points"));
}

TEST_CASE("two runs cannot write one output at once", "[experiments][run]") {
  const TemporaryFolder folder;
  {
    const OutputLock other(folder / "a.kv.h5");
    const CommandResult result = run_small(folder / "a.kv.h5");
    CHECK(result.exit_code == 2);
    CHECK_THAT(result.errors, ContainsSubstring("another kvarium run is writing it"));
  }

  CHECK(run_small(folder / "a.kv.h5").exit_code == 0);
}

TEST_CASE("a link stands for the archive it leads to", "[experiments][run]") {
  const TemporaryFolder folder;
  run_small(folder / "a.kv.h5");
  forget_last_points(folder / "a.kv.h5", 2);
  std::filesystem::create_symlink("a.kv.h5", folder / "link.kv.h5");

  SECTION("a run continues that archive and leaves the link a link") {
    CHECK(run_small(folder / "link.kv.h5").exit_code == 0);
    CHECK(std::filesystem::is_symlink(folder / "link.kv.h5"));
    CHECK(read_archive(folder / "a.kv.h5").complete);
  }
  SECTION("a run that writes that archive is in the way of one through the link") {
    const OutputLock other(folder / "a.kv.h5");
    CHECK_THAT(run_small(folder / "link.kv.h5").errors, ContainsSubstring("another kvarium run is writing it"));
  }
}

TEST_CASE("a link that leads nowhere is refused and left", "[experiments][run]") {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("nowhere.kv.h5", folder / "link.kv.h5");

  CHECK(run_small(folder / "link.kv.h5").exit_code == 2);
  CHECK(std::filesystem::is_symlink(folder / "link.kv.h5"));
  CHECK_FALSE(std::filesystem::exists(folder / "nowhere.kv.h5"));
}

TEST_CASE("a folder's name is no output, and no folder is made", "[experiments][run]") {
  const TemporaryFolder folder;
  write_bytes(folder / "small.yaml", small_experiment);

  const CommandResult result =
      run_program({"run", (folder / "small.yaml").string(), "--output", (folder / "new").string() + "/"});

  CHECK(result.exit_code == 2);
  CHECK_THAT(result.errors, ContainsSubstring("a folder's name; name a file in it"));
  CHECK_FALSE(std::filesystem::exists(folder / "new"));
}

TEST_CASE("a run removes what killed writers of its output left, and nothing else", "[experiments][run]") {
  const TemporaryFolder folder;
  write_bytes(folder / ".a.kv.h5.123.partial", "half");
  const std::string other = GENERATE(".b.kv.h5.123.partial", ".a.kv.h5.x1.partial", ".a.kv.h5..partial", "a.kv.h5.1");
  write_bytes(folder / other, "kept");

  run_small(folder / "a.kv.h5");

  CHECK_FALSE(std::filesystem::exists(folder / ".a.kv.h5.123.partial"));
  CHECK(read_bytes(folder / other) == "kept");
}

TEST_CASE("a dump that is damaged or not finite is wrong input, and nothing is written", "[experiments][run]") {
  const TemporaryFolder folder;
  DumpFile dump;
  const auto [damage, cause] = GENERATE(table<std::string, std::string>(
      {{"key", "'/key' is missing"}, {"value", "80 numbers of key, value and query are NaN or infinite"}}));
  if (damage == "key") dump.key.reset();
  if (damage == "value") dump.value->value = std::numeric_limits<double>::infinity();
  write_dump(folder / "dump.h5", dump);

  const CommandResult result =
      run_small(folder / "a.kv.h5", {"--set", "cache.source=dump.h5", "--set", "cache.head_size=8"});

  CHECK(result.exit_code == 2);
  CHECK_THAT(result.errors, StartsWith("kvarium: ") && ContainsSubstring("dump.h5: ") && ContainsSubstring(cause));
  CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
  CHECK_FALSE(std::filesystem::exists(folder / "a.kv.h5"));
}

TEST_CASE("a run says of every finished point whether a kill can still lose it", "[experiments][run]") {
  const TemporaryFolder folder;

  const CommandResult result = run_small(folder / "a.kv.h5");

  // The last line is printed once, when the archive holds all.
  CHECK_THAT(result.errors, ContainsSubstring("6/6 points, ") && !ContainsSubstring("saved"));
  CHECK(result.errors.find("6/6 points") == result.errors.rfind("6/6 points"));
}

TEST_CASE("an archive that lists a point twice is refused", "[experiments][run]") {
  const TemporaryFolder folder;
  run_small(folder / "a.kv.h5");
  forget_last_points(folder / "a.kv.h5", 1);
  ArchiveContent content = read_archive(folder / "a.kv.h5");
  for (Table& table : content.tables) {
    if (table.schema().path == "/plan/points") table = with_first_id_everywhere(table);
  }
  write_archive(folder / "a.kv.h5", content);

  const CommandResult result = run_small(folder / "a.kv.h5");

  CHECK(result.exit_code == 2);
  CHECK_THAT(result.errors, ContainsSubstring("point 1 stands in '/plan/points' twice"));
}

TEST_CASE("an archive is not continued or replayed over a dump that changed since", "[experiments][run]") {
  const TemporaryFolder folder;
  DumpFile dump;
  dump.query->shape = {2, 5, 2, 8};
  write_dump(folder / "dump.h5", dump);
  const std::vector<std::string> arguments{"--set", "cache.source=dump.h5", "--set", "cache.head_size=8"};
  REQUIRE(run_small(folder / "a.kv.h5", arguments).exit_code == 0);
  const std::string before = read_bytes(folder / "a.kv.h5");
  dump.value->value = 2.5;
  write_dump(folder / "dump.h5", dump);

  const CommandResult again = run_small(folder / "a.kv.h5", arguments);
  const CommandResult replay = run_program({"replay", (folder / "a.kv.h5").string(), "--trial", "0"});

  for (const CommandResult& result : {again, replay}) {
    CHECK(result.exit_code == 2);
    CHECK_THAT(result.errors, ContainsSubstring("made with another version of ") && ContainsSubstring("dump.h5"));
  }
  CHECK(read_bytes(folder / "a.kv.h5") == before);
}

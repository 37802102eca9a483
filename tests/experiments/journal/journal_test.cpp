#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <chrono>

#include "core/check.hpp"
#include "experiments/journal/journal_name.hpp"
#include "experiments/journal/journal_reader.hpp"
#include "experiments/journal/journal_writer.hpp"
#include "tests/experiments/archive/temporary_folder.hpp"

using namespace kvarium;
using namespace kvarium::test;
using Catch::Matchers::ContainsSubstring;

namespace {

KindSchema example_kind() {
  KindSchema kind;
  kind.trials = {{"value", ColumnType::int64, "1", "Some number"}, {"note", ColumnType::text, "", "Some text"}};
  kind.faults = {{"mask", ColumnType::uint64, "1", "Some bits"}};
  kind.summary = {{"mean", ColumnType::float64, "1", "Some mean"}};
  return kind;
}

/// A point of `trials` trials that all tell points apart.
PointResult example_point(std::int64_t number, std::int64_t trials) {
  PointResult result{PointStatus::passed, "", PointTables(example_kind())};
  for (std::int64_t trial = 0; trial < trials; ++trial) {
    result.tables.trials.append_row({100 * number + trial, "note " + std::to_string(number)});
  }
  result.tables.faults.append_row({0, std::uint64_t{1} << 63U});
  result.tables.summary.append_row({0.5 * static_cast<double>(number)});
  return result;
}

JournalHeader example_header() {
  return {
      "example", "2026-11-30T00:00:00Z", "kvarium run example.yaml", {"yaml", "{}", "{}", {"a"}, {}}, {{"host", "h"}}};
}

/// Commits five points with 1, 2, ... 5 trials.
void write_five_points(JournalWriter& journal) {
  for (std::int64_t point = 0; point < 5; ++point) {
    journal.append(static_cast<std::uint64_t>(point) + 7, example_point(point, point + 1), {1.0, 2.0, 3.0});
  }
  journal.commit();
}

/// A closed journal of them.
std::filesystem::path example_journal(const TemporaryFolder& folder) {
  const std::filesystem::path path = folder / "a.1.kvj.h5";
  JournalWriter journal(path, example_header(), example_kind());
  write_five_points(journal);
  return path;
}

/// The bytes that a writer leaves which is killed after its commit.
std::string killed_journal(const TemporaryFolder& folder) {
  const std::filesystem::path path = folder / "open.1.kvj.h5";
  JournalWriter journal(path, example_header(), example_kind());
  write_five_points(journal);
  return read_bytes(path);
}

std::int64_t count_whole(const JournalRows& journal) {
  return std::count(journal.is_whole.begin(), journal.is_whole.end(), true);
}

}  // namespace

TEST_CASE("journals lie beside their archive, numbered", "[experiments][journal]") {
  const TemporaryFolder folder;
  const std::filesystem::path output = folder / "a.kv.h5";
  for (const char* name : {"a.10.kvj.h5", "a.2.kvj.h5", "a.x.kvj.h5", "b.1.kvj.h5", "a.kvj.h5", "a.2.kvj.h5.old"}) {
    write_bytes(folder / name, "");
  }

  CHECK(find_journals(output) == std::vector{folder / "a.2.kvj.h5", folder / "a.10.kvj.h5"});
  CHECK(next_journal_path(output) == folder / "a.11.kvj.h5");
  CHECK(is_journal_name("x/a.2.kvj.h5"));
  CHECK_FALSE(is_journal_name("a.kv.h5"));
  CHECK(archive_of_journal(folder / "a.2.kvj.h5") == output);
}

TEST_CASE("what a journal is given comes back", "[experiments][journal]") {
  const TemporaryFolder folder;
  const std::filesystem::path path = example_journal(folder);

  const JournalHeader header = read_journal_header(path);
  const JournalRows rows = read_journal_rows(path, example_kind());

  CHECK(header.title == "example");
  CHECK(header.config == example_header().config);
  CHECK(header.run == example_header().run);
  CHECK(count_whole(rows) == 5);
  CHECK(rows.cuts.empty());
  CHECK(rows.tables.trials.num_rows() == 15);
  CHECK(rows.tables.trials.column("note").values<std::string>()[14] == "note 4");
  CHECK(rows.tables.faults.column("mask").values<std::uint64_t>()[0] == std::uint64_t{1} << 63U);
  CHECK(rows.points.column("first_trials").values<std::int64_t>()[4] == 10);
  CHECK(rows.points.column("duration").values<double>()[0] == 2.0);
}

TEST_CASE("committed points are read while the journal is still written", "[experiments][journal]") {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "a.1.kvj.h5";
  JournalWriter journal(path, example_header(), example_kind());
  CHECK(count_whole(read_journal_rows(path, example_kind())) == 0);

  journal.append(7, example_point(0, 600), {});
  CHECK(count_whole(read_journal_rows(path, example_kind())) == 0);
  journal.commit();
  CHECK(count_whole(read_journal_rows(path, example_kind())) == 1);
  journal.append(8, example_point(1, 600), {});
  journal.commit();

  CHECK(count_whole(read_journal_rows(path, example_kind())) == 2);
}

TEST_CASE("a damaged row costs its point alone, and the journal says so", "[experiments][journal]") {
  const TemporaryFolder folder;
  const std::filesystem::path path = example_journal(folder);
  std::string bytes = read_bytes(path);
  // The first member of the trial of point 3 that holds 301.
  const std::string number{'\x2D', '\x01', 0, 0, 0, 0, 0, 0};
  const std::size_t place = bytes.find(number);
  REQUIRE(place != std::string::npos);
  bytes[place + 3] = '\x10';
  write_bytes(path, bytes);

  const JournalRows rows = read_journal_rows(path, example_kind());

  CHECK(rows.is_whole == std::vector<bool>{true, true, true, false, true});
  REQUIRE(rows.cuts.size() == 1);
  CHECK_THAT(rows.cuts.front(), ContainsSubstring("1 of 5 points are damaged and were cut; they run again"));
}

TEST_CASE("a journal that was truncated keeps what is left, or is refused with its name", "[experiments][journal]") {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "a.1.kvj.h5";
  const std::string whole = killed_journal(folder);
  int read = 0, refused = 0;
  for (std::size_t size = 0; size < whole.size(); size += whole.size() / 40) {
    write_bytes(path, whole.substr(0, size));
    try {
      const JournalRows rows = read_journal_rows(path, example_kind());
      ++read;
      CHECK(rows.is_damaged);
      for (std::size_t row = 0; row < rows.is_whole.size(); ++row) {
        if (!rows.is_whole[row]) continue;
        const auto first = rows.points.column("first_trials").values<std::int64_t>()[row];
        CHECK(rows.tables.trials.column("value").values<std::int64_t>()[static_cast<std::size_t>(first)] ==
              100 * static_cast<std::int64_t>(rows.points.column("id").values<std::uint64_t>()[row] - 7));
      }
    } catch (const InputError& error) {
      ++refused;
      CHECK_THAT(error.what(), ContainsSubstring(path.string()));
    }
  }
  CHECK(read + refused == 41);
  CHECK(refused > 0);
  CHECK(read > 0);
}

TEST_CASE("a journal with other columns than the kind has now is refused", "[experiments][journal]") {
  const TemporaryFolder folder;
  const std::filesystem::path path = example_journal(folder);
  KindSchema other = example_kind();
  other.trials.pop_back();

  CHECK_THROWS_WITH(read_journal_rows(path, other),
                    ContainsSubstring("'/journal/trials' has other columns than this version writes"));
}

TEST_CASE("a journal takes 500,000 rows a second, 256 a commit", "[.][journal][speed]") {
  const TemporaryFolder folder;
  JournalWriter journal(folder / "a.1.kvj.h5", example_header(), example_kind());
  constexpr std::int64_t rows = 256, commits = 4000;
  const PointResult point = example_point(1, rows);
  const auto start = std::chrono::steady_clock::now();

  for (std::int64_t commit = 0; commit < commits; ++commit) {
    journal.append(static_cast<std::uint64_t>(commit), point, {});
    journal.commit();
  }

  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  const double rate = static_cast<double>(rows * commits) / taken.count();
  WARN(rate << " rows a second");
  CHECK(rate >= 500'000);
}

TEST_CASE("a damaged journal is set aside under a name of its own", "[experiments][journal]") {
  const TemporaryFolder folder;
  const std::filesystem::path journal = folder / "a.1.kvj.h5";
  write_bytes(journal, "first");
  CHECK(set_journal_aside(journal) == folder / "a.1.kvj.h5.damaged");
  write_bytes(journal, "second");

  CHECK(set_journal_aside(journal) == folder / "a.1.kvj.h5.damaged.2");

  CHECK(read_bytes(folder / "a.1.kvj.h5.damaged") == "first");
  CHECK(find_journals(folder / "a.kv.h5").empty());
}

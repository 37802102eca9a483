#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/check.hpp"
#include "experiments/archive/archive_reader.hpp"
#include "experiments/archive/archive_writer.hpp"
#include "experiments/archive/atomic_file.hpp"
#include "tests/experiments/archive/example_archive.hpp"
#include "tests/experiments/archive/temporary_folder.hpp"

using namespace kvarium;
using namespace kvarium::test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

TEST_CASE("an archive read back equals what was written", "[experiments][archive]") {
  const TemporaryFolder folder;
  const ArchiveContent content = example_archive();

  write_archive(folder / "a.kv.h5", content);

  CHECK(read_archive(folder / "a.kv.h5") == content);
}

TEST_CASE("a table of more rows than one chunk survives an archive", "[experiments][archive]") {
  const TemporaryFolder folder;
  ArchiveContent content = example_archive();
  Table& trials = content.tables.back();
  for (int trial = 3; trial < 40000; ++trial) trials.append_row({trial, "masked", "value", Value(), trial, 0.5, "r"});

  write_archive(folder / "a.kv.h5", content);

  CHECK(*read_archive(folder / "a.kv.h5").find_table("/trials") == trials);
}

TEST_CASE("writing an archive creates missing folders and leaves no other file", "[experiments][archive]") {
  const TemporaryFolder folder;

  write_archive(folder / "new/folder/a.kv.h5", example_archive());

  const auto entries = std::filesystem::directory_iterator(folder / "new/folder");
  CHECK(std::distance(begin(entries), end(entries)) == 1);
}

TEST_CASE("an archive that cannot be finished leaves the older one as it was", "[experiments][archive]") {
  const TemporaryFolder folder;
  write_archive(folder / "a.kv.h5", example_archive());
  const std::string before = read_bytes(folder / "a.kv.h5");
  ArchiveContent broken = example_archive();
  // Its dimension is no int64 column: the writer gives up half way.
  broken.tables.push_back(Table({"/broken", "x", "", {{"x", ColumnType::float64, "1", "No dimension"}}}));

  CHECK_THROWS_AS(write_archive(folder / "a.kv.h5", broken), AssertionFailure);

  CHECK(read_bytes(folder / "a.kv.h5") == before);
  const auto entries = std::filesystem::directory_iterator(folder.path());
  CHECK(std::distance(begin(entries), end(entries)) == 1);
}

TEST_CASE("an output below a file is refused with its name", "[experiments][archive]") {
  const TemporaryFolder folder;
  write_bytes(folder / "file", "text");

  const std::string message = input_error_of([&] { write_archive(folder / "file/a.kv.h5", example_archive()); });

  CHECK_THAT(message, StartsWith((folder / "file").string()) && ContainsSubstring("choose another output"));
}

TEST_CASE("files that are no archive are refused with one line", "[experiments][archive]") {
  const TemporaryFolder folder;
  write_archive(folder / "whole", example_archive());
  const std::string whole = read_bytes(folder / "whole");
  write_bytes(folder / "empty", "");
  write_bytes(folder / "text", "point,effect\n0,masked\n");
  write_bytes(folder / "truncated", whole.substr(0, whole.size() / 2));
  std::filesystem::create_directory(folder / "directory");
  const auto [name, cause] = GENERATE(table<std::string, std::string>({{"absent", "no such file"},
                                                                       {"empty", "not an HDF5 file"},
                                                                       {"text", "not an HDF5 file"},
                                                                       {"truncated", "truncated"},
                                                                       {"directory", "not a file"}}));

  const std::string message = input_error_of([&, file = name] { read_archive(folder / file); });

  CHECK_THAT(message, StartsWith((folder / name).string() + ": ") && ContainsSubstring(cause));
  CHECK(message.find('\n') == std::string::npos);
}

TEST_CASE("an archive cut off anywhere is refused, never read in part", "[experiments][archive]") {
  const TemporaryFolder folder;
  write_archive(folder / "whole", example_archive());
  const std::string whole = read_bytes(folder / "whole");
  const std::size_t step = whole.size() / 97;

  for (std::size_t length = 0; length < whole.size(); length += step) {
    CAPTURE(length, whole.size());
    write_bytes(folder / "cut", whole.substr(0, length));
    CHECK_THROWS_AS(read_archive(folder / "cut"), InputError);
  }
}

TEST_CASE("a file appears under its name only when it is published", "[experiments][archive]") {
  const TemporaryFolder folder;
  {
    AtomicFile abandoned(folder / "a");
    abandoned.write(std::string("half"));
  }
  CHECK(std::filesystem::is_empty(folder.path()));

  AtomicFile file(folder / "a");
  file.write(std::string("whole"));
  CHECK_FALSE(std::filesystem::exists(folder / "a"));
  file.publish();

  CHECK(read_bytes(folder / "a") == "whole");
}

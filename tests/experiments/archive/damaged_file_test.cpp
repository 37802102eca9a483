#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <csignal>
#include <cstdio>
#include <functional>

#include "core/random.hpp"
#include "experiments/archive/archive_reader.hpp"
#include "experiments/archive/archive_writer.hpp"
#include "experiments/archive/hdf5_probe.hpp"
#include "experiments/readers/model_dump.hpp"
#include "tests/experiments/archive/example_archive.hpp"
#include "tests/experiments/archive/temporary_folder.hpp"
#include "tests/experiments/readers/dump_writer.hpp"

using namespace kvarium;
using namespace kvarium::test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

enum Outcome { read_whole, refused_in_one_line, refused_otherwise };

/// What `read` comes to in a process of its own, which a crash would end: then any other number.
/// HDF5 1.10 forgets memory when it gives up on damage inside a file; it does not count as ours in there.
int outcome_of(const std::function<void()>& read) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const std::string message = input_error_of(read);
    if (message.empty()) _exit(read_whole);
    _exit(message.find('\n') == std::string::npos ? refused_in_one_line : refused_otherwise);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// The bytes with one to eight of their bits flipped; the same for the same trial.
std::string with_flipped_bits(std::string bytes, std::uint64_t trial) {
  CounterRandom random({1, 2}, trial);
  for (std::uint64_t flips = 1 + random.below(8); flips > 0; --flips) {
    char& byte = bytes[random.below(bytes.size())];
    byte = static_cast<char>(static_cast<unsigned char>(byte) ^ (1U << random.below(8)));
  }
  return bytes;
}

}  // namespace

TEST_CASE("a file that crashes its reader is refused by name", "[experiments][archive]") {
  const int signal = GENERATE(SIGSEGV, SIGABRT, SIGBUS);

  const std::string message = input_error_of([&] { probe_hdf5("some/file.h5", [&] { std::raise(signal); }); });

  CHECK_THAT(message, StartsWith("some/file.h5: damaged inside") && ContainsSubstring(std::to_string(signal)));
}

TEST_CASE("a file that ends the process of its reader is refused", "[experiments][archive]") {
  const std::string message = input_error_of([&] { probe_hdf5("some/file.h5", [] { _exit(3); }); });

  CHECK_THAT(message, ContainsSubstring("status 3"));
}

TEST_CASE("a file that is refused with an exception is left to its reader", "[experiments][archive]") {
  CHECK_NOTHROW(probe_hdf5("file.h5", [] { throw InputError("no archive"); }));
  CHECK_NOTHROW(probe_hdf5("file.h5", [] {}));
}

TEST_CASE("what a probe does stays in its own process", "[experiments][archive]") {
  int calls = 0;

  probe_hdf5("file.h5", [&] { ++calls; });

  CHECK(calls == 0);
}

TEST_CASE("an archive with flipped bits is read or refused with one line", "[experiments][archive]") {
  const TemporaryFolder folder;
  write_archive(folder / "whole", example_archive());
  const std::string whole = read_bytes(folder / "whole");
  int refused = 0;

  for (std::uint64_t trial = 0; trial < 150; ++trial) {
    CAPTURE(trial);
    write_bytes(folder / "flipped", with_flipped_bits(whole, trial));
    const int outcome = outcome_of([&] { read_archive(folder / "flipped"); });
    CHECK((outcome == read_whole || outcome == refused_in_one_line));
    refused += outcome == refused_in_one_line ? 1 : 0;
  }

  CHECK(refused > 0);
}

TEST_CASE("a model dump with flipped bits is read or refused with one line", "[experiments][readers]") {
  const TemporaryFolder folder;
  write_dump(folder / "whole", DumpFile());
  const std::string whole = read_bytes(folder / "whole");
  int refused = 0;

  for (std::uint64_t trial = 0; trial < 150; ++trial) {
    CAPTURE(trial);
    write_bytes(folder / "flipped", with_flipped_bits(whole, trial));
    const int outcome = outcome_of([&] { read_model_dump(folder / "flipped"); });
    CHECK((outcome == read_whole || outcome == refused_in_one_line));
    refused += outcome == refused_in_one_line ? 1 : 0;
  }

  CHECK(refused > 0);
}

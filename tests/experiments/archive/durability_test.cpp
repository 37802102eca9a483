#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "experiments/archive/archive_writer.hpp"
#include "tests/experiments/archive/example_archive.hpp"
#include "tests/experiments/archive/temporary_folder.hpp"

namespace {

/// One call that waited for the disk.
struct Synchronised {
  bool is_folder = false;
  /// Whether the watched file had its name by then.
  bool has_name = false;

  bool operator==(const Synchronised&) const = default;
};

std::filesystem::path watched;
std::vector<Synchronised> calls;

}  // namespace

/// Stands before the C library's in this program: notes the call and does it.
extern "C" int fsync(int descriptor) {
  struct stat status {};
  fstat(descriptor, &status);
  calls.push_back({S_ISDIR(status.st_mode), std::filesystem::exists(watched)});
  return static_cast<int>(syscall(SYS_fsync, descriptor));
}

using namespace kvarium;
using namespace kvarium::test;

TEST_CASE("an archive is on the disk before it has its name, and its name before the writer returns",
          "[experiments][archive]") {
  const TemporaryFolder folder;
  watched = folder / "a.kv.h5";
  calls.clear();

  write_archive(watched, example_archive());

  CHECK((calls ==
         std::vector<Synchronised>{{.is_folder = false, .has_name = false}, {.is_folder = true, .has_name = true}}));
}

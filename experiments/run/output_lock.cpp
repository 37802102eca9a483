#include "experiments/run/output_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/check.hpp"

namespace kvarium {

namespace {

std::filesystem::path lock_path(const std::filesystem::path& output) {
  return output.parent_path() / ("." + output.filename().string() + ".lock");
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  KVARIUM_VALIDATE(!error, folder.string(), ": the folder cannot be made (", error.message(),
                   "); choose another output");
}

/// Whether the open file still has this name: its last owner may have removed it between our opening and locking it.
bool is_still_named(int descriptor, const std::filesystem::path& path) {
  struct stat opened {};
  struct stat named {};
  return fstat(descriptor, &opened) == 0 && stat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino;
}

}  // namespace

OutputLock::OutputLock(const std::filesystem::path& output) : path_(lock_path(output)) {
  make_folder(path_.parent_path());
  do {
    if (descriptor_ >= 0) close(descriptor_);
    descriptor_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    KVARIUM_VALIDATE(descriptor_ >= 0, output.string(), ": cannot be written there (", std::strerror(errno),
                     "); choose another output");
    const bool is_locked = flock(descriptor_, LOCK_EX | LOCK_NB) == 0;
    const int reason = errno;
    if (!is_locked) close(descriptor_);
    KVARIUM_VALIDATE(is_locked || reason != EWOULDBLOCK, output.string(),
                     ": another kvarium run is writing it; wait for that run or choose another output");
    KVARIUM_VALIDATE(is_locked, output.string(), ": cannot be locked (", std::strerror(reason),
                     "); choose an output on another file system");
  } while (!is_still_named(descriptor_, path_));
}

OutputLock::~OutputLock() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
  close(descriptor_);
}

}  // namespace kvarium

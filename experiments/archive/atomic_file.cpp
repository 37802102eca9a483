#include "experiments/archive/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/check.hpp"

namespace kvarium {

namespace {

void synchronise(const std::filesystem::path& path, int flags) {
  const int descriptor = open(path.c_str(), flags);
  const bool done = descriptor >= 0 && fsync(descriptor) == 0;
  const int reason = errno;
  if (descriptor >= 0) close(descriptor);
  KVARIUM_VALIDATE(done, path.string(), ": cannot be brought to the disk (", std::strerror(reason),
                   "); check the space on it");
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  KVARIUM_VALIDATE(!error, folder.string(), ": the folder cannot be made (", error.message(),
                   "); choose another output");
  KVARIUM_VALIDATE(access(folder.c_str(), W_OK | X_OK) == 0, folder.string(), ": the folder cannot be written (",
                   std::strerror(errno), "); choose another output");
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path path) : path_(std::move(path)) {
  make_folder(folder_of(path_));
  temporary_ = folder_of(path_) / fmt::format(".{}.{}.partial", path_.filename().string(), getpid());
  std::error_code ignored;
  std::filesystem::remove(temporary_, ignored);
}

AtomicFile::~AtomicFile() {
  std::error_code ignored;
  std::filesystem::remove(temporary_, ignored);
}

void AtomicFile::publish() {
  synchronise(temporary_, O_RDONLY);
  std::error_code error;
  std::filesystem::rename(temporary_, path_, error);
  KVARIUM_VALIDATE(!error, path_.string(), ": cannot be written (", error.message(), "); choose another output");
  synchronise(folder_of(path_), O_RDONLY | O_DIRECTORY);
}

}  // namespace kvarium

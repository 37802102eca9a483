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

/// Returns false, with errno, when not all bytes could be written.
bool write_all(int descriptor, std::span<const char> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

constexpr const char* partial_ending = ".partial";

/// What the temporary names of all writers of `path` begin with.
std::string partial_stem(const std::filesystem::path& path) { return "." + path.filename().string() + "."; }

/// Whether `name` is that stem, a process number and the ending.
bool is_partial_name(const std::string& name, const std::string& stem) {
  if (!name.starts_with(stem) || !name.ends_with(partial_ending)) return false;
  const std::string number = name.substr(stem.size(), name.size() - stem.size() - std::strlen(partial_ending));
  return !number.empty() && number.find_first_not_of("0123456789") == std::string::npos;
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
  temporary_ = folder_of(path_) / fmt::format("{}{}{}", partial_stem(path_), getpid(), partial_ending);
  std::error_code ignored;
  std::filesystem::remove(temporary_, ignored);
}

AtomicFile::~AtomicFile() {
  std::error_code ignored;
  std::filesystem::remove(temporary_, ignored);
}

void AtomicFile::write(std::span<const char> bytes) {
  const int descriptor = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  const bool is_written = descriptor >= 0 && write_all(descriptor, bytes);
  const int reason = errno;
  if (descriptor >= 0) close(descriptor);
  KVARIUM_VALIDATE(is_written, path_.string(), ": cannot be written (", std::strerror(reason),
                   "); free space on the disk or choose another output");
}

void AtomicFile::publish() {
  synchronise(temporary_, O_RDONLY);
  std::error_code error;
  std::filesystem::rename(temporary_, path_, error);
  KVARIUM_VALIDATE(!error, path_.string(), ": cannot be written (", error.message(), "); choose another output");
  synchronise(folder_of(path_), O_RDONLY | O_DIRECTORY);
}

void remove_partial_files(const std::filesystem::path& path) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder_of(path), ignored)) {
    if (is_partial_name(entry.path().filename().string(), partial_stem(path))) {
      std::filesystem::remove(entry.path(), ignored);
    }
  }
}

}  // namespace kvarium

#pragma once

#include <filesystem>

namespace kvarium {

/// A file that appears under its name whole or not at all: written under a temporary name in the same folder, then
/// renamed by `publish`; removed when it was not published.
class AtomicFile {
 public:
  /// Creates missing folders above `path`. Errors: InputError when the folder cannot be made or written.
  explicit AtomicFile(std::filesystem::path path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  /// Where to write; nothing is there yet.
  const std::filesystem::path& temporary() const { return temporary_; }

  /// Puts the closed temporary file under its name and waits until file and name are on the disk.
  /// Errors: InputError; an older file of that name is then still whole.
  void publish();

 private:
  std::filesystem::path path_;
  std::filesystem::path temporary_;
};

}  // namespace kvarium

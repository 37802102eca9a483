#pragma once

#include <filesystem>
#include <span>

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

  /// The temporary name, for writers of their own.
  const std::filesystem::path& temporary() const { return temporary_; }

  /// Writes the file's whole contents under the temporary name.
  /// Errors: InputError when the disk is full or cannot be written.
  void write(std::span<const char> bytes);

  /// Puts the temporary file under its name and waits until file and name are on the disk.
  /// Errors: InputError; an older file of that name is then still whole. Precondition: written.
  void publish();

 private:
  std::filesystem::path path_;
  std::filesystem::path temporary_;
};

/// Removes what writers of `path` that were killed have left. Precondition: nobody writes it now.
void remove_partial_files(const std::filesystem::path& path);

}  // namespace kvarium

#pragma once

#include <filesystem>

namespace kvarium {

/// Keeps two programs from writing one archive: holds a lock file beside it, which ends with the process.
class OutputLock {
 public:
  /// Creates missing folders. Errors: InputError when another program holds the lock, or the folder cannot be written.
  explicit OutputLock(const std::filesystem::path& output);
  OutputLock(const OutputLock&) = delete;
  OutputLock& operator=(const OutputLock&) = delete;
  ~OutputLock();

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

}  // namespace kvarium

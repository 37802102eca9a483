#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace kvarium {

/// What identifies the contents of an input file.
struct FileDigest {
  std::filesystem::path path;
  std::string sha256;  ///< 64 hexadecimal digits
  std::int64_t bytes = 0;
};

/// Reads the whole file. Errors: InputError when it cannot be read.
FileDigest digest_file(const std::filesystem::path& path);

}  // namespace kvarium

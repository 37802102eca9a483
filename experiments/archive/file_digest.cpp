#include "experiments/archive/file_digest.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>

#include "core/check.hpp"
#include "experiments/plan/sha256.hpp"

namespace kvarium {

FileDigest digest_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  KVARIUM_VALIDATE(stream.is_open(), path.string(), ": cannot be read (", std::strerror(errno), "); check the path");
  Sha256 sha256;
  FileDigest digest{path, "", 0};
  std::array<char, 65536> buffer{};
  while (stream.read(buffer.data(), buffer.size()) || stream.gcount() > 0) {
    sha256.update(std::string_view(buffer.data(), static_cast<std::size_t>(stream.gcount())));
    digest.bytes += stream.gcount();
  }
  KVARIUM_VALIDATE(!stream.bad(), path.string(), ": cannot be read to its end; check the disk");
  digest.sha256 = hexadecimal(sha256.finish());
  return digest;
}

}  // namespace kvarium

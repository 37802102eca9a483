#include "experiments/archive/file_digest.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <span>

#include "core/check.hpp"

namespace kvarium {

namespace {

std::string hexadecimal(std::span<const unsigned char> bytes) {
  std::string digits;
  for (const unsigned char byte : bytes) digits += fmt::format("{:02x}", byte);
  return digits;
}

}  // namespace

FileDigest digest_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  KVARIUM_VALIDATE(stream.is_open(), path.string(), ": cannot be read (", std::strerror(errno), "); check the path");
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr);
  FileDigest digest{path, "", 0};
  std::array<char, 65536> buffer{};
  while (stream.read(buffer.data(), buffer.size()) || stream.gcount() > 0) {
    EVP_DigestUpdate(context.get(), buffer.data(), static_cast<std::size_t>(stream.gcount()));
    digest.bytes += stream.gcount();
  }
  KVARIUM_VALIDATE(!stream.bad(), path.string(), ": cannot be read to its end; check the disk");
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned size = 0;
  EVP_DigestFinal_ex(context.get(), bytes.data(), &size);
  digest.sha256 = hexadecimal(std::span(bytes).first(size));
  return digest;
}

}  // namespace kvarium

#include "experiments/plan/sha256.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <stdexcept>

namespace kvarium {
namespace {

void require(int success) {
  if (success != 1) throw std::runtime_error("OpenSSL refuses SHA-256; check its configuration");
}

}  // namespace

struct Sha256::State {
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context{EVP_MD_CTX_new(), EVP_MD_CTX_free};
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  require(EVP_DigestInit_ex(state_->context.get(), EVP_sha256(), nullptr));
}

Sha256::~Sha256() = default;

void Sha256::update(std::string_view bytes) {
  require(EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size()));
}

Sha256::Digest Sha256::finish() {
  Digest digest{};
  require(EVP_DigestFinal_ex(state_->context.get(), digest.data(), nullptr));
  require(EVP_DigestInit_ex(state_->context.get(), nullptr, nullptr));
  return digest;
}

std::uint64_t leading_word(const Sha256::Digest& digest) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < 8; ++i) word = word << 8U | digest[i];
  return word;
}

std::string hexadecimal(const Sha256::Digest& digest) {
  std::string digits;
  for (const std::uint8_t byte : digest) digits += fmt::format("{:02x}", byte);
  return digits;
}

}  // namespace kvarium

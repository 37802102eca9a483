#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace kvarium {

/// SHA-256 (FIPS 180-4) of bytes that come in parts.
class Sha256 {
 public:
  using Digest = std::array<std::uint8_t, 32>;

  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void update(std::string_view bytes);

  /// Digest of all bytes so far; the object then starts anew.
  Digest finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The first 64 bits of a digest, first byte highest.
std::uint64_t leading_word(const Sha256::Digest& digest);

/// 64 lower-case hexadecimal digits.
std::string hexadecimal(const Sha256::Digest& digest);

}  // namespace kvarium

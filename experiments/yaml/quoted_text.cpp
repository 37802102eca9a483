#include "experiments/yaml/quoted_text.hpp"

#include <fmt/format.h>

namespace kvarium {
namespace {

constexpr std::size_t longest_quote = 60;

bool is_control(unsigned char byte) { return byte < 0x20 || byte == 0x7f; }

/// Whether a UTF-8 character continues at `byte`, so that a cut before it would split the character.
bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U; }

}  // namespace

std::string quote(std::string_view text) {
  std::size_t end = std::min(text.size(), longest_quote);
  while (end > 0 && end < text.size() && is_continuation(text[end])) --end;
  std::string quoted = "'";
  for (const char letter : text.substr(0, end)) {
    const auto byte = static_cast<unsigned char>(letter);
    if (is_control(byte)) {
      quoted += fmt::format("\\x{:02x}", byte);
    } else {
      quoted += letter;
    }
  }
  return quoted + (end < text.size() ? "...'" : "'");
}

}  // namespace kvarium

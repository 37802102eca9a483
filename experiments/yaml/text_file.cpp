#include "experiments/yaml/text_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "core/check.hpp"
#include "experiments/yaml/place.hpp"

namespace kvarium {
namespace {

constexpr std::size_t largest_file = std::size_t{16} << 20U;

bool is_text_control(unsigned char byte) { return byte == '\t' || byte == '\n' || byte == '\r'; }

/// Bytes of the UTF-8 character that starts with `lead`; 0 for a byte that starts none.
std::size_t character_bytes(unsigned char lead) {
  if (lead < 0x80) return lead >= 0x20 || is_text_control(lead) ? 1 : 0;
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
}

/// Refuses overlong forms, surrogates and values past U+10FFFF, which the lead byte alone does not show.
bool is_second_byte(unsigned char lead, unsigned char second) {
  if (lead == 0xe0) return second >= 0xa0;
  if (lead == 0xed) return second <= 0x9f;
  if (lead == 0xf0) return second >= 0x90;
  if (lead == 0xf4) return second <= 0x8f;
  return true;
}

/// Bytes of the valid character at the start of `text`, or 0.
std::size_t valid_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t bytes = character_bytes(lead);
  if (bytes == 0 || bytes > text.size()) return 0;
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xc0U) != 0x80U || (i == 1 && !is_second_byte(lead, byte))) return 0;
  }
  return bytes;
}

}  // namespace

std::string read_text_file(const std::filesystem::path& path) {
  std::error_code ignored;
  KVARIUM_VALIDATE(!std::filesystem::is_directory(path, ignored), path.string(),
                   ": this is a folder; name a YAML file");
  std::ifstream stream(path, std::ios::binary);
  KVARIUM_VALIDATE(stream.is_open(), path.string(), ": cannot be opened (", std::strerror(errno),
                   "); name a readable YAML file");
  std::string text(largest_file + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  KVARIUM_VALIDATE(!stream.bad(), path.string(), ": cannot be read (", std::strerror(errno), "); check the file");
  text.resize(static_cast<std::size_t>(stream.gcount()));
  KVARIUM_VALIDATE(text.size() <= largest_file, path.string(), ": is larger than 16 MiB; name a YAML file");
  return text;
}

void validate_text(std::string_view text, const std::string& source) {
  Place place{source, 1, 1};
  while (!text.empty()) {
    const std::size_t bytes = valid_character(text);
    KVARIUM_VALIDATE(
        bytes > 0, to_string(place),
        fmt::format(": byte 0x{:02x} is not UTF-8 text; name a YAML file", static_cast<unsigned char>(text.front())));
    const bool new_line = text.front() == '\n';
    place.line += new_line ? 1 : 0;
    place.column = new_line ? 1 : place.column + static_cast<int>(bytes);
    text.remove_prefix(bytes);
  }
}

}  // namespace kvarium

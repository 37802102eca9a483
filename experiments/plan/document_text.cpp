#include "experiments/plan/document_text.hpp"

#include <algorithm>
#include <utility>

#include "experiments/plan/canonical_json.hpp"

namespace kvarium {
namespace {

constexpr int block_levels = 2;

bool is_plain_letter(char letter) {
  const bool is_letter = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
  return is_letter || (letter >= '0' && letter <= '9') || letter == '_' || letter == '.' || letter == '/' ||
         letter == '+' || letter == '-';
}

/// Whether the text stands for itself without quotes, wherever it is put.
bool is_plain(const std::string& text) {
  const bool is_mark = text.empty() || text == "-" || text.starts_with("---") || text == "..." || text == "null";
  return !is_mark && std::ranges::all_of(text, is_plain_letter);
}

/// Numbers and booleans are plain, and a text is a text with or without quotes unless it looks like one of those.
std::string scalar_text(const std::string& text, bool quoted) {
  if (!quoted && is_plain(text)) return text;
  std::string out;
  append_canonical_text(text, out);
  return out;
}

std::string flow_text(const YamlNode& node) {
  std::string out;
  const char* separator = "";
  switch (node.kind) {
    case YamlNode::Kind::scalar:
      return scalar_text(node.text, node.quoted);
    case YamlNode::Kind::sequence:
      for (const YamlNode& item : node.items) out += std::exchange(separator, ", ") + flow_text(item);
      return "[" + out + "]";
    case YamlNode::Kind::map:
      for (const YamlEntry& entry : node.entries) {
        out += std::exchange(separator, ", ") + scalar_text(entry.key, false) + ": " + flow_text(entry.value);
      }
      return "{" + out + "}";
    default:
      return "~";
  }
}

std::string block_text(const YamlNode& map, int level) {
  std::string out;
  for (const YamlEntry& entry : map.entries) {
    const bool is_open = level + 1 < block_levels && !entry.value.entries.empty();
    out += std::string(static_cast<std::size_t>(level) * 2, ' ') + scalar_text(entry.key, false) + ":";
    out += is_open ? "\n" + block_text(entry.value, level + 1) : " " + flow_text(entry.value) + "\n";
  }
  return out;
}

}  // namespace

std::string document_text(const YamlNode& document) {
  return document.entries.empty() ? flow_text(document) + "\n" : block_text(document, 0);
}

}  // namespace kvarium

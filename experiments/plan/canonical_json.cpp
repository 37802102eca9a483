#include "experiments/plan/canonical_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "experiments/config/number_text.hpp"

namespace kvarium {
namespace {

/// Key under which UTF-8 sorts as UTF-16 does: characters past U+FFFF, which UTF-16 writes with surrogates (from
/// D800), sort before U+E000 to U+FFFF, whose UTF-8 starts with 0xee or 0xef.
std::string utf16_order(const std::string& text) {
  std::string key = text;
  for (char& letter : key) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte >= 0xf0) letter = static_cast<char>(byte - 2);
    if (byte == 0xee || byte == 0xef) letter = static_cast<char>(byte + 5);
  }
  return key;
}

void append_escaped(char letter, std::string& out) {
  constexpr std::string_view special = "\"\\\b\f\n\r\t";
  constexpr std::string_view escapes = "\"\\bfnrt";
  if (const std::size_t index = special.find(letter); index != std::string_view::npos) {
    out += '\\';
    out += escapes[index];
  } else if (const auto byte = static_cast<unsigned char>(letter); byte < 0x20) {
    out += fmt::format("\\u{:04x}", byte);
  } else {
    out += letter;
  }
}

void append_value(const nlohmann::json& value, std::string& out);

void append_object(const nlohmann::json& object, std::string& out) {
  std::vector<std::pair<std::string, const std::string*>> keys;
  for (const auto& [key, member] : object.items()) keys.emplace_back(utf16_order(key), &key);
  std::sort(keys.begin(), keys.end());
  char separator = '{';
  for (const auto& key : keys) {
    out += separator;
    append_canonical_text(*key.second, out);
    out += ':';
    append_value(object.at(*key.second), out);
    separator = ',';
  }
  out += keys.empty() ? "{}" : "}";
}

void append_array(const nlohmann::json& array, std::string& out) {
  char separator = '[';
  for (const nlohmann::json& item : array) {
    out += separator;
    append_value(item, out);
    separator = ',';
  }
  out += array.empty() ? "[]" : "]";
}

void append_value(const nlohmann::json& value, std::string& out) {
  if (value.is_object()) return append_object(value, out);
  if (value.is_array()) return append_array(value, out);
  if (value.is_string()) return append_canonical_text(value.get_ref<const std::string&>(), out);
  if (value.is_number_float()) {
    out += number_text(value.get<double>());
    return;
  }
  out += value.dump();
}

struct AppendValue {
  std::string& out;

  void operator()(bool value) const { out += value ? "true" : "false"; }
  void operator()(std::int64_t value) const { out += std::to_string(value); }
  void operator()(double value) const { out += number_text(value); }
  void operator()(const std::string& value) const { append_canonical_text(value, out); }
};

}  // namespace

void append_canonical_text(std::string_view text, std::string& out) {
  out += '"';
  for (const char letter : text) append_escaped(letter, out);
  out += '"';
}

void append_canonical_value(const FieldValue& value, std::string& out) { std::visit(AppendValue{out}, value); }

std::string canonical_json(const nlohmann::json& value) {
  std::string text;
  append_value(value, text);
  return text;
}

}  // namespace kvarium

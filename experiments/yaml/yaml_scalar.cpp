#include "experiments/yaml/yaml_scalar.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <regex>

#include "experiments/yaml/quoted_text.hpp"

namespace kvarium {
namespace {

/// Longest number anyone writes; also bounds the recursion of std::regex.
constexpr std::size_t longest_number = 400;

bool matches(const std::string& text, const std::regex& pattern) {
  return text.size() <= longest_number && std::regex_match(text, pattern);
}

bool matches(const std::string& text, const char* pattern) { return matches(text, std::regex(pattern)); }

bool is_integer(const std::string& text) {
  static const std::regex pattern("-?(0|[1-9][0-9]*)");
  return matches(text, pattern);
}

bool is_number(const std::string& text) {
  static const std::regex pattern(R"(-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?)");
  return matches(text, pattern);
}

/// Whether the node may be read as a `wanted` value at all; reports it otherwise.
bool expect_plain(const YamlNode& node, std::string_view wanted, std::string_view remedy, ErrorList& errors) {
  if (node.kind == YamlNode::Kind::invalid) return false;
  if (node.kind == YamlNode::Kind::scalar && !node.quoted) return true;
  errors.add(node.place, fmt::format("{} is not {}", describe(node), wanted),
             node.quoted ? std::string("remove the quotes") : std::string(remedy));
  return false;
}

std::string integer_remedy(const std::string& text) {
  if (matches(text, "-?0+[0-9]+")) return "remove the leading zeros (some YAML readers take them as octal)";
  if (is_number(text)) return "write all digits, without point or exponent";
  if (matches(text, "[0-9]+[_ ,][0-9_ ,]*")) return "write the digits without separators";
  return "write decimal digits";
}

std::string number_remedy(const std::string& text) {
  if (matches(text, R"([-+]?\.?(inf|Inf|INF|nan|NaN|NAN|infinity))")) return "only finite numbers are allowed";
  if (matches(text, R"(-?0+[0-9]+(\.[0-9]*)?)")) return "remove the leading zeros";
  if (matches(text, R"(-?\.[0-9].*)")) return "write a digit before the point";
  return "write it as 12, 0.5 or 1e-3";
}

}  // namespace

std::optional<bool> read_boolean(const YamlNode& node, ErrorList& errors) {
  constexpr std::string_view remedy = "write true or false";
  if (!expect_plain(node, "true or false", remedy, errors)) return {};
  if (node.text == "true") return true;
  if (node.text == "false") return false;
  errors.add(node.place, fmt::format("{} is not true or false", quote(node.text)), remedy);
  return {};
}

std::optional<std::int64_t> read_integer(const YamlNode& node, ErrorList& errors) {
  if (!expect_plain(node, "an integer", "write decimal digits", errors)) return {};
  if (!is_integer(node.text)) {
    errors.add(node.place, fmt::format("{} is not an integer", quote(node.text)), integer_remedy(node.text));
    return {};
  }
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(node.text.data(), node.text.data() + node.text.size(), value);
  if (error != std::errc() || value > largest_exact_integer || value < -largest_exact_integer) {
    errors.add(node.place, fmt::format("integer {} is too large", quote(node.text)),
               fmt::format("use {} at most", largest_exact_integer));
    return {};
  }
  return value;
}

std::optional<double> read_number(const YamlNode& node, ErrorList& errors) {
  if (!expect_plain(node, "a number", "write it as 12, 0.5 or 1e-3", errors)) return {};
  if (!is_number(node.text)) {
    errors.add(node.place, fmt::format("{} is not a number", quote(node.text)), number_remedy(node.text));
    return {};
  }
  double value = 0;
  const auto [end, error] = std::from_chars(node.text.data(), node.text.data() + node.text.size(), value);
  if (error != std::errc()) {
    errors.add(node.place, fmt::format("number {} does not fit a 64-bit float", quote(node.text)),
               "use a magnitude from 1e-300 to 1e300, or 0");
    return {};
  }
  return value;
}

std::optional<std::string> read_text(const YamlNode& node, ErrorList& errors) {
  if (node.kind == YamlNode::Kind::invalid) return {};
  if (node.kind == YamlNode::Kind::scalar && !node.text.empty()) return node.text;
  errors.add(node.place, node.kind == YamlNode::Kind::scalar ? "the text is empty" : describe(node) + " is not a text",
             "write a text");
  return {};
}

}  // namespace kvarium

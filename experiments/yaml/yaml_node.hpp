#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/yaml/place.hpp"

namespace kvarium {

struct YamlEntry;

/// One value of a YAML document with its place. `invalid` marks a value whose error is already reported.
struct YamlNode {
  enum class Kind : std::uint8_t { null, scalar, sequence, map, invalid };

  Kind kind = Kind::null;
  Place place;
  std::string text;     ///< of a scalar
  bool quoted = false;  ///< the scalar was written as a text, whatever it looks like
  std::vector<YamlNode> items;
  std::vector<YamlEntry> entries;  ///< of a map, in file order, keys distinct

  /// The value under `key` of a map, or nullptr.
  const YamlNode* find(const std::string& key) const;
};

/// One key of a map with its value.
struct YamlEntry {
  std::string key;
  Place place;  ///< of the key
  YamlNode value;
};

/// What a value is, in words: "a list", "the text 'yes'".
std::string describe(const YamlNode& node);

}  // namespace kvarium

#pragma once

#include <sstream>
#include <string>
#include <vector>

namespace kvarium {

/// Joins the printed forms of `parts` into one string.
/// `core` may use the standard library only, and GCC 12 has no std::format.
template <class... Parts>
std::string concatenate(const Parts&... parts) {
  std::ostringstream stream;
  (stream << ... << parts);
  return stream.str();
}

/// Joins `words` with `separator` between neighbours; empty input gives "".
inline std::string join(const std::vector<std::string>& words, const std::string& separator = ", ") {
  std::string joined;
  for (const std::string& word : words) {
    if (!joined.empty()) joined += separator;
    joined += word;
  }
  return joined;
}

/// The candidate nearest to `word` by edit distance, or "" when none is near enough to be a likely
/// slip of the keyboard (at most a third of the word's letters, at least one, differ).
std::string nearest_word(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace kvarium

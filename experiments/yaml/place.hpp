#pragma once

#include <compare>
#include <string>

namespace kvarium {

/// Where something the user wrote stands. Lines and columns (bytes) count from 1; line 0: the source has no lines,
/// as a command line option.
struct Place {
  std::string source;  ///< file name, or the option as given
  int line = 0;
  int column = 0;

  auto operator<=>(const Place&) const = default;
};

/// "FILE:LINE:COLUMN", or the source alone.
std::string to_string(const Place& place);

}  // namespace kvarium

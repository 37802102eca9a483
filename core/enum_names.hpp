#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/check.hpp"

namespace kvarium {

/// The enumerator whose name stands at its own index in `names`.
/// Errors: InputError "unknown <what> ..." that lists the names.
template <class Enum>
Enum parse_enum(std::string_view what, std::string_view name, const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<Enum>(i);
  }
  throw InputError(concatenate("unknown ", what, " '", name, "'; use one of ", join(names)));
}

}  // namespace kvarium

#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace kvarium {

/// The canonical text of a JSON value: no white space, keys in order of their UTF-16 code units, numbers as
/// ECMAScript prints them. Preconditions: integers within +-(2^53 - 1), numbers finite, texts valid UTF-8.
/// Source: RFC 8785.
std::string canonical_json(const nlohmann::json& value);

}  // namespace kvarium

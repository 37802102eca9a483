#pragma once

#include <string>

namespace kvarium {

/// Shortest text that reads back as `value`, in the form ECMAScript's Number::toString gives (as RFC 8785 wants).
/// Precondition: finite. Source: ECMA-262, section 6.1.6.1.20.
std::string number_text(double value);

}  // namespace kvarium

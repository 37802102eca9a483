#pragma once

#include <string>
#include <string_view>

namespace kvarium {

/// `text` in single quotes for one line of a message: control characters escaped, long text cut.
std::string quote(std::string_view text);

}  // namespace kvarium

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kvarium {

/// How a point ended. Times exist only where the result was right.
enum class PointStatus : std::uint8_t { passed, wrong_result, skipped, failed, unfinished };

/// Names in the order of the enumerators, as archives hold them.
inline const std::vector<std::string>& point_status_names() {
  static const std::vector<std::string> names{"passed", "wrong_result", "skipped", "failed", "unfinished"};
  return names;
}

/// The name of a status.
inline std::string to_string(PointStatus status) { return point_status_names().at(static_cast<std::size_t>(status)); }

}  // namespace kvarium

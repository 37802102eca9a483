#include "experiments/yaml/place.hpp"

#include <fmt/format.h>

namespace kvarium {

std::string to_string(const Place& place) {
  if (place.line == 0) return place.source;
  return fmt::format("{}:{}:{}", place.source, place.line, place.column);
}

}  // namespace kvarium

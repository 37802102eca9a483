#include "core/cache_layout.hpp"

#include "core/enum_names.hpp"

namespace kvarium {

const std::vector<std::string>& cache_layout_names() {
  static const std::vector<std::string> names{"split_x", "nhd", "hnd", "packed"};
  return names;
}

std::string to_string(CacheLayout layout) { return cache_layout_names().at(static_cast<std::size_t>(layout)); }

CacheLayout parse_cache_layout(std::string_view name) {
  return parse_enum<CacheLayout>("cache layout", name, cache_layout_names());
}

}  // namespace kvarium

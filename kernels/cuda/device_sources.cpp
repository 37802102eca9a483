#include "kernels/cuda/device_sources.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "kernels/cuda/cubin_cache.hpp"

namespace kvarium {
namespace {

constexpr std::string_view variant_header = "variant.cuh";

const DeviceSource& find_source(std::string_view path) {
  const std::vector<DeviceSource>& sources = device_sources();
  const auto found =
      std::find_if(sources.begin(), sources.end(), [&](const DeviceSource& source) { return source.path == path; });
  KVARIUM_VALIDATE(found != sources.end(), "device source '", path, "' is not in this build; add it to the repository",
                   " as a .cuh file under kernels/ and configure again");
  return *found;
}

/// Paths of `#include "..."` lines.
std::vector<std::string_view> included_paths(std::string_view text) {
  constexpr std::string_view directive = "#include \"";
  std::vector<std::string_view> paths;
  for (std::size_t at = text.find(directive); at != std::string_view::npos; at = text.find(directive, at)) {
    at += directive.size();
    paths.push_back(text.substr(at, text.find('"', at) - at));
  }
  return paths;
}

}  // namespace

std::string device_sources_hash() {
  std::string content;
  for (const DeviceSource& source : device_sources()) {
    content += concatenate(source.path, ' ', source.text.size(), '\n', source.text);
  }
  return content_hash(content);
}

std::vector<DeviceSource> source_closure(std::string_view entry) {
  std::vector<DeviceSource> closure{find_source(entry)};
  for (std::size_t i = 0; i < closure.size(); ++i) {
    for (std::string_view path : included_paths(closure[i].text)) {
      const bool is_known =
          std::any_of(closure.begin(), closure.end(), [&](const DeviceSource& source) { return source.path == path; });
      if (path != variant_header && !is_known) closure.push_back(find_source(path));
    }
  }
  return closure;
}

}  // namespace kvarium

#include "kernels/cuda/resource_usage.hpp"

#include <charconv>

namespace kvarium {
namespace {

/// The number that stands before `words` in `line`, or 0.
int number_before(std::string_view line, std::string_view words) {
  const std::size_t end = line.find(words);
  if (end == std::string_view::npos) return 0;
  std::size_t begin = end;
  while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') --begin;
  int value = 0;
  std::from_chars(line.data() + begin, line.data() + end, value);
  return value;
}

void read_line(std::string_view line, ResourceUsage& usage) {
  if (line.find("bytes stack frame") != std::string_view::npos) {
    usage.stack_bytes = number_before(line, " bytes stack frame");
    usage.spill_store_bytes = number_before(line, " bytes spill stores");
    usage.spill_load_bytes = number_before(line, " bytes spill loads");
  }
  if (line.find("Used ") != std::string_view::npos) {
    usage.registers = number_before(line, " registers");
    usage.barriers = number_before(line, " barriers");
    usage.static_shared_bytes = number_before(line, " bytes smem");
  }
}

}  // namespace

std::map<std::string, ResourceUsage> parse_resource_usage(std::string_view log) {
  constexpr std::string_view heading = "Compiling entry function '";
  std::map<std::string, ResourceUsage> all;
  ResourceUsage* current = nullptr;
  for (std::size_t begin = 0; begin < log.size();) {
    const std::size_t end = std::min(log.find('\n', begin), log.size());
    const std::string_view line = log.substr(begin, end - begin);
    begin = end + 1;
    if (const std::size_t at = line.find(heading); at != std::string_view::npos) {
      const std::string_view name = line.substr(at + heading.size());
      current = &all[std::string(name.substr(0, name.find('\'')))];
    } else if (current != nullptr) {
      read_line(line, *current);
    }
  }
  return all;
}

}  // namespace kvarium

#include "experiments/run/free_memory.hpp"

#include <algorithm>
#include <fstream>
#include <string>

namespace kvarium {
namespace {

/// The number that the file begins with; nothing for one that is missing or says "max".
std::optional<std::int64_t> read_number(const char* path) {
  std::ifstream stream(path);
  std::int64_t number = 0;
  return stream >> number ? std::optional(number) : std::nullopt;
}

std::optional<std::int64_t> machine_bytes() {
  constexpr std::int64_t kibibyte = 1024;
  std::ifstream stream("/proc/meminfo");
  for (std::string name, line; stream >> name; std::getline(stream, line)) {
    std::int64_t number = 0;
    if (name == "MemAvailable:" && stream >> number) return number * kibibyte;
  }
  return {};
}

std::optional<std::int64_t> group_bytes() {
  const std::optional<std::int64_t> most = read_number("/sys/fs/cgroup/memory.max");
  const std::optional<std::int64_t> used = read_number("/sys/fs/cgroup/memory.current");
  if (!most || !used) return {};
  return *most - *used;
}

}  // namespace

std::optional<std::int64_t> free_memory_bytes() {
  const std::optional<std::int64_t> machine = machine_bytes();
  const std::optional<std::int64_t> group = group_bytes();
  if (machine && group) return std::min(*machine, *group);
  return machine ? machine : group;
}

}  // namespace kvarium

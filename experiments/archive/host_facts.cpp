#include "experiments/archive/host_facts.hpp"

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

namespace kvarium {

namespace {

std::string cpu_model() {
  std::ifstream stream("/proc/cpuinfo");
  for (std::string line; std::getline(stream, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

std::int64_t usable_cores() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : sysconf(_SC_NPROCESSORS_ONLN);
}

std::int64_t memory_bytes() { return static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE); }

bool matters(std::string_view variable) {
  static constexpr std::array<std::string_view, 4> prefixes{"OMP_", "KOKKOS_", "CUDA_", "SLURM_"};
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return variable.starts_with(prefix); });
}

/// Where a machine keeps its files says nothing about a result, and an archive may be published: a path's last name.
std::string_view without_folders(std::string_view value) {
  return value.starts_with('/') ? value.substr(value.find_last_of('/') + 1) : value;
}

RunProvenance environment_facts() {
  RunProvenance facts;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view variable(*entry);
    const std::size_t equals = variable.find('=');
    if (!matters(variable) || equals == std::string_view::npos) continue;
    facts.emplace_back("environment_" + std::string(variable.substr(0, equals)),
                       without_folders(variable.substr(equals + 1)));
  }
  std::sort(facts.begin(), facts.end(), [](const auto& left, const auto& right) { return left.first < right.first; });
  return facts;
}

}  // namespace

RunProvenance host_facts() {
  utsname system{};
  uname(&system);
  RunProvenance facts{{"host", system.nodename},
                      {"kernel", std::string(system.sysname) + " " + system.release},
                      {"cpu_model", cpu_model()},
                      {"cores", usable_cores()},
                      {"memory_bytes", memory_bytes()}};
  const RunProvenance environment = environment_facts();
  facts.insert(facts.end(), environment.begin(), environment.end());
  return facts;
}

}  // namespace kvarium

#pragma once

#include <cstdint>
#include <optional>

namespace kvarium {

/// Bytes this process can still fill before the system ends it: what the machine has left, or what its control group
/// has, whichever is less; nothing where the system does not say.
/// Source: MemAvailable of /proc/meminfo; memory.max and memory.current of cgroup v2.
std::optional<std::int64_t> free_memory_bytes();

}  // namespace kvarium

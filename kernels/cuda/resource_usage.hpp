#pragma once

#include <map>
#include <string>
#include <string_view>

namespace kvarium {

/// What one compiled kernel takes, as the assembler reports it.
struct ResourceUsage {
  int registers = 0;            ///< per thread
  int static_shared_bytes = 0;  ///< per thread block
  int stack_bytes = 0;          ///< per thread
  int spill_store_bytes = 0;    ///< per thread
  int spill_load_bytes = 0;     ///< per thread
  int barriers = 0;             ///< hardware barriers of a thread block

  bool operator==(const ResourceUsage&) const = default;
};

/// Reads the assembler's log (option -v): every kernel in it by name.
std::map<std::string, ResourceUsage> parse_resource_usage(std::string_view log);

}  // namespace kvarium

#pragma once

#include <map>
#include <memory>
#include <string>

#include "kernels/cuda/architecture.hpp"
#include "kernels/cuda/kernel_source.hpp"
#include "kernels/cuda/resource_usage.hpp"

namespace kvarium {

/// Machine code of a variant for one architecture.
struct CompiledKernel {
  Architecture architecture;
  std::string key;  ///< hexadecimal hash of everything it was made from
  std::string cubin;
  std::string log;                             ///< of compiler and assembler
  std::map<std::string, ResourceUsage> usage;  ///< by kernel name; every kernel of the source
};

/// Compiles a device source, or takes the same from this process or from the cache on disk, where entries are found
/// by content: all sources included, constants, options, architecture and version of the compiler. Needs no GPU.
/// Thread-safe. Errors: NotConfigured without NVRTC; InputError with the compiler's log when it refuses the source, and
/// when the source lacks one of `source.kernels`.
std::shared_ptr<const CompiledKernel> compile(const KernelSource& source, const Architecture& architecture);

}  // namespace kvarium

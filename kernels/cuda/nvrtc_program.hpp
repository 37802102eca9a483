#pragma once

#include <string>
#include <vector>

#include "kernels/cuda/cubin_cache.hpp"
#include "kernels/cuda/nvrtc_library.hpp"

namespace kvarium {

/// A file that exists in memory only.
struct NamedText {
  std::string name;
  std::string text;
};

/// Compiles the first file, which may include the others by name. Errors: NotConfigured without NVRTC, InputError with
/// the compiler's log, cut after its first errors.
CachedCubin run_nvrtc(const std::vector<NamedText>& files, const std::vector<std::string>& options);

}  // namespace kvarium

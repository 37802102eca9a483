#include "kernels/cuda/nvrtc_library.hpp"

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "core/check.hpp"
#include "kernels/cuda/dynamic_library.hpp"

namespace kvarium {
namespace {

constexpr const char* library_names[] = {"libnvrtc.so.13", "libnvrtc.so.12"};

void add_folder(std::vector<std::string>& candidates, const std::string& folder) {
  for (const char* name : library_names) candidates.push_back(folder + "/" + name);
}

std::vector<std::string> candidate_paths() {
  std::vector<std::string> candidates;
  if (const char* own = std::getenv("KVARIUM_NVRTC"); own != nullptr && *own != '\0') {
    std::error_code ignored;
    if (!std::filesystem::is_directory(own, ignored)) return {own};
    add_folder(candidates, own);
    return candidates;
  }
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    const char* toolkit = std::getenv(variable);
    if (toolkit == nullptr || *toolkit == '\0') continue;
    for (const char* folder : {"/lib64", "/lib"}) add_folder(candidates, std::string(toolkit) + folder);
  }
  for (const char* name : library_names) candidates.emplace_back(name);
  add_folder(candidates, "/usr/local/cuda/lib64");
  return candidates;
}

bool find_functions(const DynamicLibrary& library, NvrtcLibrary& nvrtc) {
  return library.find("nvrtcVersion", nvrtc.version) && library.find("nvrtcGetErrorString", nvrtc.error_string) &&
         library.find("nvrtcCreateProgram", nvrtc.create_program) &&
         library.find("nvrtcCompileProgram", nvrtc.compile_program) &&
         library.find("nvrtcDestroyProgram", nvrtc.destroy_program) &&
         library.find("nvrtcGetProgramLogSize", nvrtc.log_size) && library.find("nvrtcGetProgramLog", nvrtc.log) &&
         library.find("nvrtcGetCUBINSize", nvrtc.cubin_size) && library.find("nvrtcGetCUBIN", nvrtc.cubin) &&
         library.find("nvrtcGetNumSupportedArchs", nvrtc.num_architectures) &&
         library.find("nvrtcGetSupportedArchs", nvrtc.architectures);
}

/// Opened for good: compiled code and static state of the library may be in use until the process ends.
std::unique_ptr<NvrtcLibrary> open_first() {
  for (const std::string& candidate : candidate_paths()) {
    std::optional<DynamicLibrary> library = DynamicLibrary::open(candidate);
    auto nvrtc = std::make_unique<NvrtcLibrary>();
    if (!library || !find_functions(*library, *nvrtc)) continue;
    if (nvrtc->version(&nvrtc->major, &nvrtc->minor) != 0) continue;
    nvrtc->path = library->path_of(reinterpret_cast<const void*>(nvrtc->version));
    static DynamicLibrary kept = std::move(*library);
    return nvrtc;
  }
  return nullptr;
}

}  // namespace

std::string NvrtcLibrary::identity() const { return concatenate("nvrtc ", major, ".", minor); }

bool NvrtcLibrary::compiles_for(int capability_major, int capability_minor) const {
  int count = 0;
  if (num_architectures(&count) != 0) return true;
  std::vector<int> values(static_cast<std::size_t>(count));
  if (architectures(values.data()) != 0) return true;
  for (int value : values) {
    if (value == 10 * capability_major + capability_minor) return true;
  }
  return false;
}

const NvrtcLibrary* find_nvrtc_library() {
  static const std::unique_ptr<NvrtcLibrary> library = open_first();
  return library.get();
}

const NvrtcLibrary& nvrtc_library() {
  const NvrtcLibrary* library = find_nvrtc_library();
  if (library == nullptr) {
    const char* own = std::getenv("KVARIUM_NVRTC");
    throw NotConfigured(concatenate("NVRTC is not configured (libnvrtc.so.13 or .12 was not found",
                                    own != nullptr ? " in KVARIUM_NVRTC=" : "", own != nullptr ? own : "",
                                    "); install a CUDA toolkit or the Python package nvidia-cuda-nvrtc, and name its ",
                                    "file or folder in KVARIUM_NVRTC where the dynamic linker does not find it"));
  }
  return *library;
}

}  // namespace kvarium

#include "kernels/cuda/dynamic_library.hpp"

#include <dlfcn.h>

namespace kvarium {

std::optional<DynamicLibrary> DynamicLibrary::open(const std::string& name) {
  // Never unloaded: NVRTC keeps memory in its own globals, which nobody could reach after that, and the driver's
  // threads run on while the program ends.
  void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (handle == nullptr) return std::nullopt;
  return DynamicLibrary(handle);
}

DynamicLibrary::~DynamicLibrary() {
  if (handle_ != nullptr) dlclose(handle_);
}

std::string DynamicLibrary::path_of(const void* address_inside) const {
  Dl_info info{};
  if (dladdr(address_inside, &info) == 0 || info.dli_fname == nullptr) return "";
  return info.dli_fname;
}

void* DynamicLibrary::address(const char* name) const { return dlsym(handle_, name); }

}  // namespace kvarium

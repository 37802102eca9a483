#pragma once

#include <optional>
#include <string>
#include <utility>

namespace kvarium {

/// A shared library opened while the program runs; it stays loaded until the program ends.
class DynamicLibrary {
 public:
  /// The library of that file name or path, or nothing when the loader does not find it.
  static std::optional<DynamicLibrary> open(const std::string& name);
  ~DynamicLibrary();
  DynamicLibrary(DynamicLibrary&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  DynamicLibrary& operator=(DynamicLibrary&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }

  /// Sets `function` to the function called `name`, or to null where the library has none.
  template <class Function>
  bool find(const char* name, Function*& function) const {
    function = reinterpret_cast<Function*>(address(name));
    return function != nullptr;
  }

  /// File the loader took the library from.
  std::string path_of(const void* address_inside) const;

 private:
  explicit DynamicLibrary(void* handle) : handle_(handle) {}
  void* address(const char* name) const;

  void* handle_ = nullptr;
};

}  // namespace kvarium

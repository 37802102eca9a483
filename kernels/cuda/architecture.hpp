#pragma once

#include <string>
#include <string_view>

namespace kvarium {

/// A compute capability kernels are compiled for. `specific`: with instructions of this architecture alone (suffix a),
/// so the cubin runs on no other.
struct Architecture {
  int major = 8;
  int minor = 0;
  bool specific = false;

  bool operator==(const Architecture&) const = default;

  /// "sm_90", or "sm_90a" when specific.
  std::string name() const;

  /// Whether this one is `other` or newer, suffix aside.
  bool is_at_least(const Architecture& other) const;
};

/// Reads "sm_80" or "sm_90a". Errors: InputError with the form wanted.
Architecture parse_architecture(std::string_view name);

/// What kernels for a device of this compute capability are compiled for: 9.0 and up take the suffix a.
Architecture native_architecture(int major, int minor);

}  // namespace kvarium

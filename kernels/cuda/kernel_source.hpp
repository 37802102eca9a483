#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/cache_layout.hpp"
#include "core/element_type.hpp"
#include "kernels/checksums/slice_checksum.hpp"

namespace kvarium {

/// Named constants of a variant in the order given; the device source reads them as
/// `kvarium::variant::NAME` from the generated header `variant.cuh`.
class VariantConstants {
 public:
  /// Adds one constant of the type that the device source sees. Precondition: `name` is new and an identifier.
  VariantConstants& add(std::string_view name, std::int64_t value);
  VariantConstants& add(std::string_view name, int value) { return add(name, std::int64_t{value}); }
  VariantConstants& add(std::string_view name, bool value);
  VariantConstants& add(std::string_view name, ElementType value);
  VariantConstants& add(std::string_view name, CacheLayout value);
  VariantConstants& add(std::string_view name, SliceChecksum value);

  /// Text of `variant.cuh`.
  std::string header() const;

 private:
  VariantConstants& add_line(std::string_view type, std::string_view name, std::string_view value);

  std::string lines_;
};

/// What is compiled: a device source of this project, by its path from the root of the repository, the `extern "C"`
/// kernels wanted of it, and the constants it is compiled with.
struct KernelSource {
  std::string entry_file;
  std::vector<std::string> kernels;
  VariantConstants constants;
};

}  // namespace kvarium

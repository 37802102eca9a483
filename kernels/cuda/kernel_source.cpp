#include "kernels/cuda/kernel_source.hpp"

#include "core/text.hpp"

namespace kvarium {

VariantConstants& VariantConstants::add_line(std::string_view type, std::string_view name, std::string_view value) {
  lines_ += concatenate("constexpr ", type, " ", name, " = ", value, ";\n");
  return *this;
}

VariantConstants& VariantConstants::add(std::string_view name, std::int64_t value) {
  const bool fits_int = value == static_cast<std::int32_t>(value);
  return add_line(fits_int ? "int" : "long long", name, concatenate(value, fits_int ? "" : "LL"));
}

VariantConstants& VariantConstants::add(std::string_view name, bool value) {
  return add_line("bool", name, value ? "true" : "false");
}

VariantConstants& VariantConstants::add(std::string_view name, ElementType value) {
  return add_line("ElementType", name, "ElementType::" + to_string(value));
}

VariantConstants& VariantConstants::add(std::string_view name, CacheLayout value) {
  return add_line("CacheLayout", name, "CacheLayout::" + to_string(value));
}

VariantConstants& VariantConstants::add(std::string_view name, SliceChecksum value) {
  return add_line("SliceChecksum", name, "SliceChecksum::" + to_string(value));
}

std::string VariantConstants::header() const {
  return "#pragma once\n\n#include \"kernels/cuda/device/types.cuh\"\n\nnamespace kvarium::variant {\n\n" + lines_ +
         "\n}  // namespace kvarium::variant\n";
}

}  // namespace kvarium

#include "kernels/cuda/architecture.hpp"

#include <charconv>

#include "core/check.hpp"

namespace kvarium {

std::string Architecture::name() const { return concatenate("sm_", major, minor, specific ? "a" : ""); }

bool Architecture::is_at_least(const Architecture& other) const {
  return major > other.major || (major == other.major && minor >= other.minor);
}

Architecture parse_architecture(std::string_view name) {
  constexpr std::string_view prefix = "sm_";
  Architecture architecture;
  std::string_view digits = name.substr(name.starts_with(prefix) ? prefix.size() : name.size());
  if (digits.ends_with('a')) {
    architecture.specific = true;
    digits.remove_suffix(1);
  }
  int number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool is_number = error == std::errc() && end == digits.data() + digits.size() && number >= 50 && number < 1000;
  KVARIUM_VALIDATE(is_number, "architecture '", name, "' is not known; use a form such as sm_80 or sm_90a");
  architecture.major = number / 10;
  architecture.minor = number % 10;
  return architecture;
}

Architecture native_architecture(int major, int minor) { return {major, minor, major >= 9}; }

}  // namespace kvarium

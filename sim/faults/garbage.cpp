#include "sim/faults/garbage.hpp"

#include "sim/faults/element_field.hpp"

namespace kvarium {

std::optional<std::uint32_t> garbage_bits(const std::string& garbage, ElementType type, CounterRandom& random) {
  if (garbage == "random") return static_cast<std::uint32_t>(random());
  const BitRange exponent = field_bits(type, ElementField::exponent);
  const std::uint32_t infinity = ((1U << exponent.count) - 1U) << exponent.first;
  // e4m3 has no infinity; all its bits but the sign make its NaN.
  if (type == ElementType::float8_e4m3) return garbage == "nan" ? std::optional<std::uint32_t>(0x7FU) : std::nullopt;
  return garbage == "nan" ? infinity | (1U << (exponent.first - 1)) : infinity;
}

}  // namespace kvarium

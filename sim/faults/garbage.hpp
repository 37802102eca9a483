#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/element_type.hpp"
#include "core/random.hpp"

namespace kvarium {

/// Bits of an element of garbage: "random" bits, a "nan", or an "infinity"; none where the type has no infinity.
std::optional<std::uint32_t> garbage_bits(const std::string& garbage, ElementType type, CounterRandom& random);

}  // namespace kvarium

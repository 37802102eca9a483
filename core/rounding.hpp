#pragma once

namespace kvarium {

/// Parts of `divisor` that hold `value`, the last one perhaps not full. Precondition: value >= 0, divisor > 0.
template <class Integer>
constexpr Integer divide_up(Integer value, Integer divisor) {
  return (value + divisor - 1) / divisor;
}

}  // namespace kvarium

#pragma once

#include <cstddef>
#include <vector>

#include "experiments/config/sweep.hpp"

namespace kvarium {

/// A rule of `sweep.exclude` over positions in the axes of a product.
class ExclusionMask {
 public:
  /// Precondition: each key of the rule is one of some axis.
  ExclusionMask(const SweepExclusion& rule, const std::vector<SweepAxis>& axes);

  /// Whether the rule leaves the point at `positions` [num_axes] out.
  bool drops(const std::vector<std::size_t>& positions) const;

  /// Whether it leaves any point of the product out.
  bool drops_any() const;

 private:
  /// The positions of one axis whose values the rule names.
  struct AxisMask {
    std::size_t axis = 0;
    std::vector<bool> is_named;
  };
  std::vector<AxisMask> masks_;
};

}  // namespace kvarium

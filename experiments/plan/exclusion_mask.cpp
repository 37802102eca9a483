#include "experiments/plan/exclusion_mask.hpp"

#include <algorithm>
#include <set>
#include <string>

namespace kvarium {
namespace {

/// The values that the rule names of a column of the axis.
struct NamedValues {
  std::size_t column = 0;
  std::set<FieldValue> values;
};

std::vector<NamedValues> named_values(const SweepExclusion& rule, const SweepAxis& axis) {
  std::vector<NamedValues> named;
  for (std::size_t column = 0; column < axis.paths.size(); ++column) {
    const auto found = std::ranges::find(rule.paths, axis.paths[column]);
    if (found == rule.paths.end()) continue;
    const std::vector<FieldValue>& values = rule.values[static_cast<std::size_t>(found - rule.paths.begin())];
    named.push_back({column, {values.begin(), values.end()}});
  }
  return named;
}

std::vector<bool> named_positions(const std::vector<NamedValues>& named, const SweepAxis& axis) {
  std::vector<bool> positions;
  for (const std::vector<FieldValue>& row : axis.values) {
    positions.push_back(std::ranges::all_of(
        named, [&](const NamedValues& column) { return column.values.contains(row[column.column]); }));
  }
  return positions;
}

}  // namespace

ExclusionMask::ExclusionMask(const SweepExclusion& rule, const std::vector<SweepAxis>& axes) {
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    const std::vector<NamedValues> named = named_values(rule, axes[axis]);
    if (!named.empty()) masks_.push_back({axis, named_positions(named, axes[axis])});
  }
}

bool ExclusionMask::drops(const std::vector<std::size_t>& positions) const {
  return std::ranges::all_of(masks_, [&](const AxisMask& mask) { return mask.is_named[positions[mask.axis]]; });
}

bool ExclusionMask::drops_any() const {
  return std::ranges::all_of(
      masks_, [](const AxisMask& mask) { return std::ranges::find(mask.is_named, true) != mask.is_named.end(); });
}

}  // namespace kvarium

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/config/field_value.hpp"

namespace kvarium {

/// Values that one or more keys take together.
struct SweepAxis {
  std::vector<std::string> paths;               ///< dotted paths into `base`
  std::vector<std::vector<FieldValue>> values;  ///< [num_values][paths.size()]

  bool operator==(const SweepAxis&) const = default;
};

/// Combinations of an axes' product that are left out: those in which every key has one of its values.
struct SweepExclusion {
  std::vector<std::string> paths;               ///< each swept by some axis
  std::vector<std::vector<FieldValue>> values;  ///< [paths.size()][any number]

  bool operator==(const SweepExclusion&) const = default;
};

/// How points are drawn from a product.
enum class SampleMethod : std::uint8_t { latin_hypercube, random };

std::string to_string(SampleMethod method);
/// "latin_hypercube", "random".
const std::vector<std::string>& sample_method_names();

/// So many points of a product instead of all of them.
struct SweepSample {
  SampleMethod method = SampleMethod::latin_hypercube;
  std::int64_t count = 1;
  std::optional<std::uint64_t> seed;  ///< nothing: the experiment's

  bool operator==(const SweepSample&) const = default;
};

/// One point beside the product: keys it does not name have the values of `base`.
struct SweepRow {
  std::vector<std::string> paths;  ///< dotted paths into `base`
  std::vector<FieldValue> values;  ///< [paths.size()]

  bool operator==(const SweepRow&) const = default;
};

/// Where the points of an experiment come from.
struct Sweep {
  /// Axes of the product; the first varies slowest.
  std::vector<SweepAxis> axes;
  std::vector<SweepExclusion> exclude;
  std::optional<SweepSample> sample;
  /// Points after those of the product.
  std::vector<SweepRow> list;

  /// Whether there is one point, that of `base`.
  bool empty() const { return axes.empty() && list.empty(); }

  /// Whether there are points of a product: not where rows of a list are all there is.
  bool has_product() const { return !axes.empty() || list.empty(); }

  bool operator==(const Sweep&) const = default;
};

/// Keys that tell points apart: those of the axes in their order, then those that only rows of the list name.
std::vector<std::string> swept_paths(const Sweep& sweep);

/// Values that `path` takes at the points, each once, `base_value` being the one that `base` gives it.
std::vector<FieldValue> values_of(const Sweep& sweep, const std::string& path, const FieldValue& base_value);

}  // namespace kvarium

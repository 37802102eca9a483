#include "experiments/config/sweep.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace kvarium {
namespace {

/// Index of `path` among `paths`, or -1.
std::ptrdiff_t find(const std::vector<std::string>& paths, const std::string& path) {
  const auto found = std::ranges::find(paths, path);
  return found == paths.end() ? -1 : found - paths.begin();
}

/// Items in the order they first come.
template <class Item>
class DistinctItems {
 public:
  void append(const Item& item) {
    if (seen_.insert(item).second) items_.push_back(item);
  }
  std::vector<Item> take() { return std::move(items_); }

 private:
  std::set<Item> seen_;
  std::vector<Item> items_;
};

/// Whether some axis gives `path` values, which are then appended.
bool append_axis_values(const Sweep& sweep, const std::string& path, DistinctItems<FieldValue>& values) {
  for (const SweepAxis& axis : sweep.axes) {
    const std::ptrdiff_t column = find(axis.paths, path);
    if (column < 0) continue;
    for (const auto& row : axis.values) values.append(row[static_cast<std::size_t>(column)]);
    return true;
  }
  return false;
}

}  // namespace

const std::vector<std::string>& sample_method_names() {
  static const std::vector<std::string> names{"latin_hypercube", "random"};
  return names;
}

std::string to_string(SampleMethod method) { return sample_method_names().at(static_cast<std::size_t>(method)); }

std::vector<std::string> swept_paths(const Sweep& sweep) {
  DistinctItems<std::string> paths;
  for (const SweepAxis& axis : sweep.axes) {
    for (const std::string& path : axis.paths) paths.append(path);
  }
  for (const SweepRow& row : sweep.list) {
    for (const std::string& path : row.paths) paths.append(path);
  }
  return paths.take();
}

std::vector<FieldValue> values_of(const Sweep& sweep, const std::string& path, const FieldValue& base_value) {
  DistinctItems<FieldValue> values;
  if (!append_axis_values(sweep, path, values) && sweep.has_product()) values.append(base_value);
  for (const SweepRow& row : sweep.list) {
    const std::ptrdiff_t column = find(row.paths, path);
    values.append(column < 0 ? base_value : row.values[static_cast<std::size_t>(column)]);
  }
  return values.take();
}

}  // namespace kvarium

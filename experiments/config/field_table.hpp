#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "experiments/config/experiment_config.hpp"
#include "experiments/config/field_info.hpp"
#include "experiments/config/field_pointer.hpp"

namespace kvarium {

/// One key of a configuration.
struct Field {
  std::string path;  ///< dotted, as "cache.layout"
  FieldType type = FieldType::text;
  FieldInfo info;
  FieldValue default_value;
};

/// Every key of a configuration, in the order files are written.
class FieldTable {
 public:
  explicit FieldTable(std::vector<Field> fields) : fields_(std::move(fields)) {}

  const std::vector<Field>& fields() const { return fields_; }

  /// Index of the key at `path`, or -1.
  std::ptrdiff_t find(std::string_view path) const;

  /// Names that may follow `section` (dotted; empty: the outermost), in order. Empty when there is no such section.
  std::vector<std::string> children(std::string_view section) const;

  /// Paths of all keys.
  std::vector<std::string> paths() const;

 private:
  std::vector<Field> fields_;
};

/// Keys of `base` ("cache.layout").
const FieldTable& base_fields();

/// Keys of a whole experiment, `sweep` apart ("base.cache.layout", "seed").
const FieldTable& experiment_fields();

/// Members of `base` in the order of base_fields().
std::vector<FieldPointer> field_pointers(BaseConfig& base);

/// Members of `experiment` in the order of experiment_fields().
std::vector<FieldPointer> field_pointers(ExperimentConfig& experiment);

}  // namespace kvarium

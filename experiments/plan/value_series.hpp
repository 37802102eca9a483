#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "experiments/config/field_table.hpp"
#include "experiments/yaml/error_list.hpp"
#include "experiments/yaml/yaml_node.hpp"

namespace kvarium {

/// "range", "pow2", "linspace", "logspace".
std::vector<std::string> value_series_names();

/// How a series is written.
struct SeriesForm {
  std::string name;
  std::size_t fewest_arguments = 0;
  std::size_t most_arguments = 0;
  std::string form;  ///< "range: [first, last, step]"
};

/// The forms of all series, in the order of value_series_names().
std::vector<SeriesForm> value_series_forms();

/// Values of a map of one series, in order:
/// `range: [first, last, step]` (last included when a step meets it; step 1 when left out),
/// `pow2: [first, last]` powers of two by exponent, both included,
/// `linspace: [first, last, count]` and `logspace: [first, last, count]` equal steps or ratios, both ends included.
/// An integer key takes only series that give integers. Errors go to `errors` and give an empty list.
std::vector<FieldValue> read_value_series(const YamlNode& node, const Field& field, ErrorList& errors);

}  // namespace kvarium

#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "experiments/run/stored_results.hpp"

namespace kvarium {

/// The crossed tables of an archive as text, a share in percent with its interval in a cell; wide tables are cut into
/// parts of whole columns. "n/a": no fault applied; "-": the point did not run.
std::string crossed_text(const StoredResults& stored);

/// The same numbers as JSON: lists of shares, of pairs with the first of what stands across, and of costs.
nlohmann::ordered_json crossed_json(const StoredResults& stored);

}  // namespace kvarium

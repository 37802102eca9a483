#pragma once

#include <nlohmann/json_fwd.hpp>

namespace kvarium {

/// What `variant.family: auto` consults here: of each archive in the tuning folder that was made on this device with
/// these versions, the fastest variant of each shape.
/// Errors: InputError for an archive that is damaged or no tuning.
nlohmann::ordered_json list_tunings();

}  // namespace kvarium

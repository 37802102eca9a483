#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "experiments/config/experiment_config.hpp"

namespace kvarium {

/// Every key of the experiment with its value, defaults included, in the order files are written; `sweep` lists the
/// axes as {"keys": [...], "values": [[...], ...]}, then what else it holds as {"exclude": {...}}, {"sample": {...}}
/// and
/// {"list": {...}}, of the same form.
nlohmann::ordered_json experiment_json(const ExperimentConfig& experiment);

/// The keys of one point: kind, seed, device, `base` with every value, and the settings of its run.
nlohmann::ordered_json point_json(const PointConfig& point);

}  // namespace kvarium

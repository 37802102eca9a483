#pragma once

#include <vector>

#include "experiments/config/combination_rules.hpp"
#include "sim/transfer/transfer_shape.hpp"

namespace kvarium {

/// Model and engines of a transfer, every key resolved.
TransferShape transfer_shape(const BaseConfig& base);

/// Ranks that divide heads and layers; defects that fit path and moment.
std::vector<CombinationRule> transfer_rules();

}  // namespace kvarium

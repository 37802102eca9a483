#pragma once

#include "experiments/config/base_config.hpp"
#include "sim/sequence_lengths.hpp"

namespace kvarium {

/// How long the sequences of a batch are: all alike, or log-uniform where `min_context_length` is above 0.
SequenceLengths batch_lengths(const BatchConfig& batch);

}  // namespace kvarium

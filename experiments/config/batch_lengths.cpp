#include "experiments/config/batch_lengths.hpp"

namespace kvarium {

SequenceLengths batch_lengths(const BatchConfig& batch) {
  if (batch.min_context_length > 0) return LogUniformLengths{batch.min_context_length, batch.context_length};
  return EqualLengths{batch.context_length};
}

}  // namespace kvarium

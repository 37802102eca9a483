#pragma once

#include <memory>
#include <string>

#include "kernels/checksums/device_checksum.hpp"

namespace kvarium {

/// What tells one checksum with a key for each cell from another.
struct KeyedChecksumDesign {
  std::string name;                   ///< of its kernel, and of its device source, kernels/checksums/cuda/NAME.cuh
  std::int64_t words_per_layer = 0;   ///< of a row's value; 0: one word for all layers
  std::int64_t most_chunk_units = 0;  ///< loads that a chunk may take; 0: any number
};

/// A device checksum of 32-bit pieces under keys from their places.
std::unique_ptr<DeviceChecksum> make_keyed_checksum(const KeyedChecksumDesign& design);

}  // namespace kvarium

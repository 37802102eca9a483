#pragma once

#include <memory>
#include <string>

#include "kernels/checksums/device_checksum.hpp"

namespace kvarium {

/// What tells one checksum that walks cells from another.
struct WalkedChecksumDesign {
  std::string name;                      ///< of its device source, kernels/checksums/cuda/NAME.cuh
  std::int64_t words_per_row = 0;        ///< 8-byte words of workspace for each row
  std::int64_t words_per_row_layer = 0;  ///< and for each row and layer, and tile of 32 tokens of a block
  bool has_finish = false;               ///< whether a second kernel turns sums into values
  bool takes_thread_blocks = false;      ///< whether a thread block, not a warp, takes K or V of a row of a layer
};

/// A device checksum whose kernel `walk` hands cells to a rule and whose kernel `finish`, if any, makes the values.
std::unique_ptr<DeviceChecksum> make_walked_checksum(const WalkedChecksumDesign& design);

}  // namespace kvarium

#pragma once

#include <string>
#include <vector>

#include "kernels/checksums/checksum_family.hpp"
#include "sim/transfer/transfer_shape.hpp"

namespace kvarium {

/// What one recorded value covers.
enum class RecordScope : std::uint8_t {
  block,   ///< one block row
  request  ///< all block rows of a request, added
};

/// One checksum that a transfer is watched with.
struct TransferCheck {
  std::string name;  ///< of the family, with what differs from its defaults
  const ChecksumFamily* family = nullptr;
  ChecksumParameters parameters;
  RecordScope scope = RecordScope::block;
};

/// Every family at its defaults; where it takes them also bytes in memory order, a sample of the buffers, canaries of
/// less data; where it is additive also one value a request.
const std::vector<TransferCheck>& transfer_checks();

/// Whether the records of producer and consumer can be compared at all.
bool is_comparable(const TransferCheck& check, const TransferShape& shape);

}  // namespace kvarium

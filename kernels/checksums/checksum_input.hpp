#pragma once

#include "kernels/checksums/checksum_family.hpp"

namespace kvarium {

/// Checks one layer and the rows read of it: widths, layer and head numbers, block ids, positions.
/// Errors: InputError with the place.
void validate_checksum_layer(const CacheLayer& layer, const ChecksumRows& rows, int piece_width);

}  // namespace kvarium

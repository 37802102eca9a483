#pragma once

#include "kernels/checksums/checksum_family.hpp"

namespace kvarium {

/// weighted_sum of one block row by the element rule: an element at byte b of its cell adds
/// weight(piece b / width) * 2^(8 * (b mod width)) * element modulo 2^64. Works in any layout and for any
/// strides, and masks the tail per element.
std::uint64_t element_rule_sum(const CacheLayer& layer, const BlockRow& row, int piece_width);

}  // namespace kvarium

#pragma once

#include "kernels/checksums/device_checksums.hpp"

namespace kvarium::test {

/// layers_checksum_on_device over host arrays: everything is copied to device memory, addresses included, and `out`
/// back.
void sum_pieces_on_device(const LayersChecksumArguments& arguments, const DeviceChecksumSettings& settings = {});

/// weighted_sum_on_device over host caches; values [num_rows].
std::vector<std::uint64_t> sum_cells_on_device(const std::vector<CacheLayer>& layers, const ChecksumRows& rows,
                                               const DeviceChecksumSettings& settings = {});

}  // namespace kvarium::test

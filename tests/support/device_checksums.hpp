#pragma once

#include "kernels/checksums/device_checksum.hpp"

namespace kvarium::test {

/// layers_checksum_on_device over host arrays: everything is copied to device memory, addresses included, and `out`
/// back.
void sum_pieces_on_device(const LayersChecksumArguments& arguments, const DeviceChecksumSettings& settings = {});

/// A checksum of device_checksums() over host caches, of which the rows' blocks are copied to device memory; values
/// [num_rows, words_per_row].
std::vector<std::uint64_t> values_on_device(const std::string& family, const std::vector<CacheLayer>& layers,
                                            const ChecksumRows& rows, const DeviceChecksumSettings& settings = {});

}  // namespace kvarium::test

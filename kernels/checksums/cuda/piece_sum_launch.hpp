#pragma once

#include "kernels/checksums/device_checksums.hpp"

namespace kvarium {

/// layers_checksum_on_device with at most most_given_layers `layers`, in host memory.
void sum_views_on_device(const LayersChecksumArguments& arguments, const DeviceChecksumSettings& settings);

}  // namespace kvarium

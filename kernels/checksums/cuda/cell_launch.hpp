#pragma once

#include "kernels/checksums/checksum_family.hpp"
#include "kernels/checksums/cuda/cell_sum_parameters.cuh"
#include "kernels/checksums/device_checksums.hpp"

namespace kvarium {

/// What a kernel over cells is compiled for.
struct CellKernelKey {
  CacheLayout layout = CacheLayout::hnd;
  ElementType cache_type = ElementType::float16;
  int head_size = 0, block_size = 0, num_kv_heads = 0, piece_width = 8;
  std::int64_t chunk = 0;
  bool is_vectorised = false;
  bool follows_zeroing = false;

  auto operator<=>(const CellKernelKey&) const = default;

  /// Constants of the device source.
  VariantConstants constants() const;
  /// Warps that take the chunks of one row of one layer; the device source cuts K and V alike.
  std::int64_t warps_per_row() const;
};

/// Key for these layers: whole 16-byte vectors where all of them allow that.
CellKernelKey cell_kernel_key(const std::vector<CacheLayer>& layers, const DeviceChecksumSettings& settings);

/// Errors: InputError for a piece width that is none, or layers of unlike geometry, strides or impossible numbers.
void validate_device_layers(const std::vector<CacheLayer>& layers, int piece_width);

/// Arguments for at most layers_per_launch layers from `first` on. `out` and `workspace` are left to the caller.
CellSumParameters cell_parameters(const std::vector<CacheLayer>& layers, std::size_t first, const ChecksumRows& rows);

}  // namespace kvarium

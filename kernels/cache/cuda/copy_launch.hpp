#pragma once

#include "core/paged_cache_view.hpp"
#include "kernels/cache/cuda/copy_parameters.cuh"
#include "kernels/cuda/kernel_source.hpp"

namespace kvarium {

/// One side of a copy of cells; of `cells` only the choice of rows is read.
struct CopySide {
  ElementType element_type = ElementType::float32;
  int block_size = 0;  ///< tokens; 0: dense rows
  CacheTensor key;
  CacheTensor value;
  CellSide cells;
};

/// A copy of `num_rows` cells of all heads.
struct CellCopy {
  CopySide source;
  CopySide destination;
  std::int64_t num_rows = 0;
  int num_kv_heads = 1;
  int head_size = 0;
  float key_scale = 1.0F;
  float value_scale = 1.0F;
};

/// The device source of the copy; it is compiled for layouts and types, not for counts.
KernelSource copy_source(const CellCopy& copy);

/// Puts the copy on `stream`. Errors: NotConfigured, DriverError.
void launch_copy(const CellCopy& copy, void* stream);

}  // namespace kvarium

#pragma once

#include "kernels/cache/cache_operations.hpp"

namespace kvarium {

// The operations of cache_operations.hpp on device memory: every pointer and every array is the device's, work is put
// on `stream` (a CUstream; null: the default stream), nothing is allocated and nothing waits. Bits are those of the
// host's operations. What the host reports about single slots and blocks, nothing waits to report here: a slot or block
// outside its cache is left out, never mapped to another one.

/// Appends tokens; see write_cache. `tokens.slot_mapping` is device memory. Errors: as validate_scales, NotConfigured,
/// DriverError.
void write_cache_on_device(const NewTokens& tokens, const PagedCacheView& cache, void* stream = nullptr);

/// Copies whole blocks, `copies` [num_copies] in device memory, all at once: no block may be written twice, or both
/// written and read. Errors: InputError for unlike geometries, NotConfigured, DriverError.
void copy_blocks_on_device(const PagedCacheView& source, const PagedCacheView& destination, const BlockCopy* copies,
                           std::int64_t num_copies, void* stream = nullptr);

/// Slots [num_slots] int64 in device memory; negative ones leave their row untouched.
struct DeviceSlots {
  const std::int64_t* slots = nullptr;
  std::int64_t num_slots = 0;
};

/// Copies the cells of `slots` into dense rows. Errors: NotConfigured, DriverError.
void gather_cells_on_device(const PagedCacheView& cache, const DeviceSlots& slots, const DenseCells& cells,
                            void* stream = nullptr);

/// Copies dense rows into the cells of `slots`. Errors: NotConfigured, DriverError.
void scatter_cells_on_device(const DenseCells& cells, const DeviceSlots& slots, const PagedCacheView& cache,
                             void* stream = nullptr);

}  // namespace kvarium

#include <array>

#include "kernels/cache/cuda/slice_records_parameters.cuh"
#include "kernels/cache/device_cache_operations.hpp"
#include "kernels/cache/slice_records.hpp"
#include "kernels/checksums/cuda/mixed_keys.cuh"
#include "kernels/checksums/layers_checksum.hpp"
#include "kernels/cuda/kernel_table.hpp"
#include "kernels/cuda/launch.hpp"

namespace kvarium {
namespace {

constexpr int warps_per_block = 4;

struct RecordKernels {
  DeviceKernel blocks;
  DeviceKernel tokens;
};

RecordKernels record_kernels(const CacheGeometry& geometry, SliceChecksum checksum) {
  using Key = std::array<int, 5>;
  static KernelTable<Key, RecordKernels> table;
  const Key key{static_cast<int>(geometry.layout), static_cast<int>(geometry.element_type), geometry.head_size,
                geometry.block_size, static_cast<int>(checksum)};
  return table.get(key, [&] {
    const KernelSource source = slice_records_source(geometry, checksum);
    return RecordKernels{load_kernel(source, "record_blocks"), load_kernel(source, "record_tokens")};
  });
}

RecordedStrides strides_of(const CacheTensor& tensor) {
  return {tensor.strides.block, tensor.strides.kv_head, tensor.strides.token, tensor.strides.group};
}

SliceRecordsParameters parameters_of(const PagedCacheView& cache, const SliceRecords& records) {
  SliceRecordsParameters parameters{};
  parameters.key = cache.key.data;
  parameters.value = cache.value.data;
  parameters.key_strides = strides_of(cache.key);
  parameters.value_strides = strides_of(cache.value);
  parameters.num_blocks = cache.geometry.num_blocks;
  parameters.num_kv_heads = cache.geometry.num_kv_heads;
  parameters.expected = reinterpret_cast<unsigned long long*>(records.expected);
  parameters.covered_tokens = records.covered_tokens;
  parameters.num_sequences = records.num_sequences;
  parameters.max_num_blocks_per_sequence = records.max_num_blocks_per_sequence;
  parameters.first_head = records.layer * heads_per_layer_weight + records.first_head;
  parameters.seed_key = mixed_seed_key(records.sum.seed);
  return parameters;
}

}  // namespace

KernelSource slice_records_source(const CacheGeometry& geometry, SliceChecksum checksum) {
  VariantConstants constants;
  constants.add("layout", geometry.layout)
      .add("cache_type", geometry.element_type)
      .add("head_size", geometry.head_size)
      .add("block_size", geometry.block_size)
      .add("checksum", checksum);
  return {"kernels/cache/cuda/slice_records.cuh", {"record_blocks", "record_tokens"}, constants};
}

void record_blocks_on_device(const PagedCacheView& cache, const StoredSequences& batch, const SliceRecords& records,
                             void* stream) {
  validate_records(cache, records);
  const std::int64_t units = records.num_sequences * records.max_num_blocks_per_sequence * cache.geometry.num_kv_heads;
  if (units == 0) return;
  SliceRecordsParameters parameters = parameters_of(cache, records);
  parameters.block_tables = batch.block_tables;
  parameters.seq_lens = batch.seq_lens;
  record_kernels(cache.geometry, records.sum.checksum)
      .blocks.launch(shape_for_warps(units, warps_per_block), stream, parameters);
}

void write_cache_on_device(const NewTokens& tokens, const PagedCacheView& cache, const TokenPlaces& places,
                           const SliceRecords& records, void* stream) {
  // Refused before anything is written.
  validate_records(cache, records);
  const LaunchShape shape = shape_for_warps(tokens.num_tokens * cache.geometry.num_kv_heads, warps_per_block);
  write_cache_on_device(tokens, cache, stream);
  if (tokens.num_tokens == 0) return;
  SliceRecordsParameters parameters = parameters_of(cache, records);
  static_assert(sizeof(long long) == sizeof(std::int64_t));
  parameters.slots = reinterpret_cast<const long long*>(tokens.slot_mapping);
  parameters.sequences = places.sequences;
  parameters.positions = reinterpret_cast<const long long*>(places.positions);
  parameters.num_tokens = tokens.num_tokens;
  record_kernels(cache.geometry, records.sum.checksum).tokens.launch(shape, stream, parameters);
}

}  // namespace kvarium

#include <algorithm>
#include <array>

#include "core/check.hpp"
#include "kernels/checksums/cuda/cell_sum_parameters.cuh"
#include "kernels/checksums/device_checksums.hpp"
#include "kernels/cuda/kernel_table.hpp"
#include "kernels/cuda/launch.hpp"

namespace kvarium {
namespace {

constexpr std::int64_t vector_bytes = 16;
constexpr std::int64_t default_chunk_bytes = 16384;
constexpr std::int64_t warps_per_block = 4;

bool suits_vectors(const CacheTensor& tensor, const CacheGeometry& geometry) {
  const std::int64_t per_vector = vector_bytes / element_bytes(geometry.element_type);
  const CacheStrides& strides = tensor.strides;
  // Tokens of V in split_x lie side by side; elsewhere each token begins a vector.
  const bool has_token_runs = strides.token == 1;
  const bool is_even = strides.block % per_vector == 0 && strides.kv_head % per_vector == 0 &&
                       (has_token_runs || strides.token % per_vector == 0) && strides.group % per_vector == 0;
  return is_even && (!has_token_runs || geometry.block_size % per_vector == 0) &&
         reinterpret_cast<std::uintptr_t>(tensor.data) % vector_bytes == 0;
}

bool suits_vectors(const PagedCacheView& cache) {
  const CacheGeometry& geometry = cache.geometry;
  return geometry.head_size * element_bytes(geometry.element_type) % vector_bytes == 0 &&
         suits_vectors(cache.key, geometry) && suits_vectors(cache.value, geometry);
}

/// What the kernel is compiled for.
struct CellSumKey {
  CacheLayout layout;
  ElementType cache_type;
  int head_size, block_size, num_kv_heads, piece_width;
  std::int64_t chunk;
  bool is_vectorised;

  auto operator<=>(const CellSumKey&) const = default;
};

CellSumKey key_of(const std::vector<CacheLayer>& layers, const DeviceChecksumSettings& settings) {
  const CacheGeometry& geometry = layers.front().cache.geometry;
  const bool is_vectorised =
      std::all_of(layers.begin(), layers.end(), [](const CacheLayer& layer) { return suits_vectors(layer.cache); });
  const std::int64_t chunk = settings.chunk > 0 ? settings.chunk : default_chunk_bytes / settings.piece_width;
  return {geometry.layout,
          geometry.element_type,
          geometry.head_size,
          geometry.block_size,
          geometry.num_kv_heads,
          settings.piece_width,
          chunk,
          is_vectorised};
}

KernelSource source_of(const CellSumKey& key) {
  VariantConstants constants;
  constants.add("layout", key.layout)
      .add("cache_type", key.cache_type)
      .add("head_size", key.head_size)
      .add("block_size", key.block_size)
      .add("num_kv_heads", key.num_kv_heads)
      .add("piece_width", key.piece_width)
      .add("chunk", key.chunk)
      .add("is_vectorised", key.is_vectorised);
  return {"kernels/checksums/cuda/cell_sum.cuh", {"cell_sum"}, constants};
}

/// Warps that sum one row of one layer; the device source cuts K and V alike.
std::int64_t warps_per_row(const CellSumKey& key) {
  const std::int64_t element = element_bytes(key.cache_type);
  const std::int64_t unit = key.is_vectorised ? vector_bytes : element;
  const std::int64_t units = key.head_size * element / unit * key.block_size * key.num_kv_heads;
  const std::int64_t units_per_chunk = std::max<std::int64_t>(key.chunk * key.piece_width / unit, 1);
  return 2 * ((units + units_per_chunk - 1) / units_per_chunk);
}

void validate_layers(const std::vector<CacheLayer>& layers, int piece_width) {
  KVARIUM_VALIDATE(piece_width == 1 || piece_width == 2 || piece_width == 4 || piece_width == 8, "piece width is ",
                   piece_width, " bytes; use 1, 2, 4 or 8");
  const PagedCacheView& first = layers.front().cache;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const PagedCacheView& cache = layers[i].cache;
    KVARIUM_VALIDATE(cache.geometry == first.geometry && cache.key.strides == first.key.strides &&
                         cache.value.strides == first.value.strides,
                     "layer ", i, " is ", to_string(cache.geometry), " but layer 0 is ", to_string(first.geometry),
                     "; layers of one call have equal geometry and strides");
    const std::int64_t heads = cache.geometry.num_kv_heads;
    KVARIUM_VALIDATE(
        layers[i].layer >= 0 && layers[i].first_head >= 0 && layers[i].first_head + heads <= heads_per_layer_weight,
        "layer ", i, " has number ", layers[i].layer, " and first head ", layers[i].first_head,
        "; use 0 or more, and heads below 65536");
  }
}

SummedStrides strides_of(const CacheStrides& strides) {
  return {strides.block, strides.kv_head, strides.token, strides.group};
}

CellSumParameters parameters_of(const CacheLayer* layers, int num_layers, const ChecksumRows& rows,
                                std::uint64_t* out) {
  const PagedCacheView& cache = layers->cache;
  CellSumParameters parameters{};
  for (int i = 0; i < num_layers; ++i) {
    parameters.layers[i] = {layers[i].cache.key.data, layers[i].cache.value.data,
                            layers[i].layer * heads_per_layer_weight + layers[i].first_head};
  }
  const auto array = [](const std::int64_t* values) { return reinterpret_cast<const long long*>(values); };
  parameters.num_layers = num_layers;
  parameters.key = strides_of(cache.key.strides);
  parameters.value = strides_of(cache.value.strides);
  parameters.num_blocks = cache.geometry.num_blocks;
  parameters.block_ids = array(rows.block_ids);
  parameters.first_tokens = array(rows.first_tokens);
  parameters.valid_tokens = array(rows.valid_tokens);
  parameters.num_rows = rows.num_rows;
  parameters.out = reinterpret_cast<unsigned long long*>(out);
  return parameters;
}

}  // namespace

KernelSource weighted_sum_source(const PagedCacheView& cache, const DeviceChecksumSettings& settings) {
  return source_of(key_of({{cache, 0, 0}}, settings));
}

void weighted_sum_on_device(const std::vector<CacheLayer>& layers, const ChecksumRows& rows, std::uint64_t* out,
                            const DeviceChecksumSettings& settings) {
  if (layers.empty() || rows.num_rows == 0) return;
  validate_layers(layers, settings.piece_width);
  static KernelTable<CellSumKey, DeviceKernel> table;
  const CellSumKey key = key_of(layers, settings);
  const DeviceKernel kernel = table.get(key, [&] { return load_kernel(source_of(key), "cell_sum"); });
  for (std::size_t first = 0; first < layers.size(); first += layers_per_launch) {
    const int count = static_cast<int>(std::min<std::size_t>(layers.size() - first, layers_per_launch));
    const std::int64_t warps = warps_per_row(key) * count * rows.num_rows;
    LaunchShape shape;
    shape.grid[0] = static_cast<unsigned int>((warps + warps_per_block - 1) / warps_per_block);
    shape.block[0] = warps_per_block * 32;
    kernel.launch(shape, settings.stream, parameters_of(&layers[first], count, rows, out));
  }
}

}  // namespace kvarium

#include "kernels/checksums/cuda/cell_launch.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "kernels/checksums/checksum_input.hpp"

namespace kvarium {
namespace {

constexpr std::int64_t vector_bytes = 16;
/// As in layers_checksum.
constexpr std::int64_t default_chunk_bytes = 8192;

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

SummedStrides strides_of(const CacheStrides& strides) {
  return {strides.block, strides.kv_head, strides.token, strides.group};
}

}  // namespace

VariantConstants CellKernelKey::constants() const {
  VariantConstants constants;
  constants.add("layout", layout)
      .add("cache_type", cache_type)
      .add("head_size", head_size)
      .add("block_size", block_size)
      .add("num_kv_heads", num_kv_heads)
      .add("piece_width", piece_width)
      .add("chunk", chunk)
      .add("is_vectorised", is_vectorised)
      .add("follows_zeroing", follows_zeroing);
  return constants;
}

std::int64_t CellKernelKey::warps_per_row() const {
  const std::int64_t element = element_bytes(cache_type);
  const std::int64_t unit = is_vectorised ? vector_bytes : element;
  const std::int64_t units = head_size * element / unit * block_size * num_kv_heads;
  const std::int64_t units_per_chunk = std::max<std::int64_t>(chunk * piece_width / unit, 1);
  return 2 * ((units + units_per_chunk - 1) / units_per_chunk);
}

CellKernelKey cell_kernel_key(const std::vector<CacheLayer>& layers, const DeviceChecksumSettings& settings) {
  const CacheGeometry& geometry = layers.front().cache.geometry;
  const bool is_vectorised =
      std::all_of(layers.begin(), layers.end(), [](const CacheLayer& layer) { return suits_vectors(layer.cache); });
  const std::int64_t wanted = settings.chunk > 0 ? settings.chunk : default_chunk_bytes / settings.piece_width;
  const std::int64_t tensor_pieces = std::int64_t{geometry.head_size} * element_bytes(geometry.element_type) *
                                     geometry.block_size * geometry.num_kv_heads / settings.piece_width;
  const std::int64_t chunk = std::min(wanted, std::max<std::int64_t>(tensor_pieces, 1));
  return {geometry.layout,
          geometry.element_type,
          geometry.head_size,
          geometry.block_size,
          geometry.num_kv_heads,
          settings.piece_width,
          chunk,
          is_vectorised,
          settings.follows_zeroing};
}

void validate_device_layers(const std::vector<CacheLayer>& layers, int piece_width) {
  KVARIUM_VALIDATE(piece_width == 1 || piece_width == 2 || piece_width == 4 || piece_width == 8, "piece width is ",
                   piece_width, " bytes; use 1, 2, 4 or 8");
  const PagedCacheView& first = layers.front().cache;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const PagedCacheView& cache = layers[i].cache;
    KVARIUM_VALIDATE(cache.geometry == first.geometry && cache.key.strides == first.key.strides &&
                         cache.value.strides == first.value.strides,
                     "layer ", i, " is ", to_string(cache.geometry), " but layer 0 is ", to_string(first.geometry),
                     "; layers of one call have equal geometry and strides");
    KVARIUM_VALIDATE(are_weighted(layers[i].layer, layers[i].first_head, cache.geometry.num_kv_heads), "layer ", i,
                     " has number ", layers[i].layer, " and first head ", layers[i].first_head,
                     "; use layers up to 2^44 and heads below 65536");
  }
}

CellSumParameters cell_parameters(const std::vector<CacheLayer>& layers, std::size_t first, const ChecksumRows& rows) {
  const PagedCacheView& cache = layers.front().cache;
  const auto array = [](const std::int64_t* values) { return reinterpret_cast<const long long*>(values); };
  CellSumParameters parameters{};
  parameters.num_layers = static_cast<int>(std::min<std::size_t>(layers.size() - first, layers_per_launch));
  for (int i = 0; i < parameters.num_layers; ++i) {
    const CacheLayer& layer = layers[first + static_cast<std::size_t>(i)];
    parameters.layers[i] = {layer.cache.key.data, layer.cache.value.data,
                            layer.layer * heads_per_layer_weight + layer.first_head};
  }
  parameters.first_layer = static_cast<int>(first);
  parameters.all_layers = static_cast<int>(layers.size());
  parameters.key = strides_of(cache.key.strides);
  parameters.value = strides_of(cache.value.strides);
  parameters.num_blocks = cache.geometry.num_blocks;
  parameters.block_ids = array(rows.block_ids);
  parameters.first_tokens = array(rows.first_tokens);
  parameters.valid_tokens = array(rows.valid_tokens);
  parameters.num_rows = rows.num_rows;
  return parameters;
}

}  // namespace kvarium

#include "kernels/checksums/cuda/keyed_launch.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "kernels/checksums/cuda/cell_launch.hpp"
#include "kernels/checksums/cuda/mixed_keys.cuh"
#include "kernels/checksums/cuda/zero_sums_launch.hpp"
#include "kernels/checksums/mixed_sum.hpp"
#include "kernels/cuda/kernel_table.hpp"
#include "kernels/cuda/launch.hpp"

namespace kvarium {
namespace {

constexpr int warps_per_block = 4;
constexpr std::int64_t vector_bytes = 16;

/// What a kernel is compiled for.
struct KeyedKernelKey {
  CellKernelKey cells;
  bool has_near_cells = false;  ///< whether heads and tokens lie less than 2^31 bytes apart, and forwards

  auto operator<=>(const KeyedKernelKey&) const = default;

  VariantConstants constants() const { return cells.constants().add("has_near_cells", has_near_cells); }
};

bool has_near_cells(const CacheTensor& tensor, std::int64_t element) {
  const auto is_near = [&](std::int64_t stride) { return stride >= 0 && stride * element < std::int64_t{1} << 31; };
  return is_near(tensor.strides.kv_head) && is_near(tensor.strides.token);
}

class KeyedChecksum final : public DeviceChecksum {
 public:
  explicit KeyedChecksum(const KeyedChecksumDesign& design) : design_(design) {}

  KernelSource source(const PagedCacheView& cache, const DeviceChecksumSettings& settings) const override {
    return source_of(key_of({{cache, 0, 0}}, settings));
  }

  std::size_t workspace_bytes(const std::vector<CacheLayer>&, std::int64_t) const override { return 0; }

  void run(const DeviceChecksumCall& call) const override {
    const std::vector<CacheLayer>& layers = *call.layers;
    if (layers.empty() || call.rows.num_rows == 0) return;
    validate_device_layers(layers, mixed_piece_width);
    validate_size(layers.front().cache.geometry);
    DeviceChecksumSettings settings = call.settings;
    settings.follows_zeroing = zero_sums(call.out, call.rows.num_rows * words_per_row(layers), settings.stream);
    for (std::size_t first = 0; first < layers.size(); first += layers_per_launch) {
      sum_layers(call, first, settings);
      settings.follows_zeroing = false;
    }
  }

 private:
  std::int64_t words_per_row(const std::vector<CacheLayer>& layers) const {
    const auto num_layers = static_cast<std::int64_t>(layers.size());
    return design_.words_per_layer == 0 ? 1 : design_.words_per_layer * num_layers;
  }

  /// Pieces are numbered by 31 bits.
  static void validate_size(const CacheGeometry& geometry) {
    const std::int64_t pieces =
        std::int64_t{cell_bytes(geometry)} / mixed_piece_width * geometry.num_kv_heads * geometry.block_size;
    KVARIUM_VALIDATE(pieces < std::int64_t{1} << 31, "a block of one layer has ", pieces,
                     " pieces of 4 bytes; fewer than 2^31 can be summed on a device");
  }

  KeyedKernelKey key_of(const std::vector<CacheLayer>& layers, DeviceChecksumSettings settings) const {
    settings.piece_width = mixed_piece_width;
    KeyedKernelKey key{cell_kernel_key(layers, settings), true};
    const std::int64_t element = element_bytes(key.cells.cache_type);
    if (design_.most_chunk_units > 0) {
      const std::int64_t unit = key.cells.is_vectorised ? vector_bytes : element;
      const std::int64_t most = std::max<std::int64_t>(design_.most_chunk_units * unit / mixed_piece_width, 1);
      key.cells.chunk = std::min(key.cells.chunk, most);
    }
    const PagedCacheView& cache = layers.front().cache;  // the others have equal strides
    key.has_near_cells = has_near_cells(cache.key, element) && has_near_cells(cache.value, element);
    return key;
  }

  KernelSource source_of(const KeyedKernelKey& key) const {
    return {"kernels/checksums/cuda/" + design_.name + ".cuh", {design_.name}, key.constants()};
  }

  void sum_layers(const DeviceChecksumCall& call, std::size_t first, const DeviceChecksumSettings& settings) const {
    const KeyedKernelKey key = key_of(*call.layers, settings);
    const DeviceKernel kernel = table_.get(key, [&] { return load_kernel(source_of(key), design_.name); });
    CellSumParameters parameters = cell_parameters(*call.layers, first, call.rows);
    parameters.out = reinterpret_cast<unsigned long long*>(call.out);
    LaunchShape shape = shape_for_warps(key.cells.warps_per_row() * call.rows.num_rows, warps_per_block);
    shape.grid[1] = static_cast<unsigned int>(parameters.num_layers);
    shape.is_dependent = settings.follows_zeroing;
    const unsigned long long seed_key = mixed_seed_key(settings.seed);
    kernel.launch(shape, settings.stream, parameters, seed_key);
  }

  KeyedChecksumDesign design_;
  mutable KernelTable<KeyedKernelKey, DeviceKernel> table_;
};

}  // namespace

std::unique_ptr<DeviceChecksum> make_keyed_checksum(const KeyedChecksumDesign& design) {
  return std::make_unique<KeyedChecksum>(design);
}

}  // namespace kvarium

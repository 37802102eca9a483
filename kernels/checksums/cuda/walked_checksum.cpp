#include "kernels/checksums/cuda/walked_checksum.hpp"

#include "kernels/checksums/byte_walk.hpp"
#include "kernels/checksums/cuda/cell_launch.hpp"
#include "kernels/checksums/fmix_digest.hpp"
#include "kernels/cuda/device_memory.hpp"
#include "kernels/cuda/kernel_table.hpp"
#include "kernels/cuda/launch.hpp"

namespace kvarium {
namespace {

constexpr int warps_per_block = 4;
constexpr std::int64_t threads = 32 * warps_per_block;
constexpr std::int64_t tokens_per_tile = 32;

/// What the kernels are compiled for.
struct WalkKernelKey {
  CellKernelKey cells;
  bool in_memory_order = false;

  auto operator<=>(const WalkKernelKey&) const = default;

  VariantConstants constants() const { return cells.constants().add("in_memory_order", in_memory_order); }
};

WalkKernelKey walk_kernel_key(const std::vector<CacheLayer>& layers, const DeviceChecksumSettings& settings) {
  return {cell_kernel_key(layers, settings), settings.byte_order == ByteOrder::memory};
}

struct WalkKernels {
  DeviceKernel walk;
  DeviceKernel finish;
};

class WalkedChecksum final : public DeviceChecksum {
 public:
  explicit WalkedChecksum(const WalkedChecksumDesign& design) : design_(design) {}

  KernelSource source(const PagedCacheView& cache, const DeviceChecksumSettings& settings) const override {
    return source_of(walk_kernel_key({{cache, 0, 0}}, settings));
  }

  std::size_t workspace_bytes(const std::vector<CacheLayer>& layers, std::int64_t num_rows) const override {
    if (layers.empty()) return 0;
    const std::int64_t tiles = (layers.front().cache.geometry.block_size + tokens_per_tile - 1) / tokens_per_tile;
    const std::int64_t words =
        design_.words_per_row + design_.words_per_row_layer * tiles * static_cast<std::int64_t>(layers.size());
    return static_cast<std::size_t>(words * num_rows) * sizeof(std::uint64_t);
  }

  void run(const DeviceChecksumCall& call) const override {
    const std::vector<CacheLayer>& layers = *call.layers;
    if (layers.empty() || call.rows.num_rows == 0) return;
    validate_device_layers(layers, call.settings.piece_width);
    if (call.settings.byte_order == ByteOrder::memory) validate_memory_order(layers);
    validate_sampled_buffers(layers.size(), call.settings.sampled_buffers);
    void* const stream = call.settings.stream;
    const WalkKernelKey key = walk_kernel_key(layers, call.settings);
    const WalkKernels kernels = table_.get(key, [&] { return load(key); });
    fill_on_device(call.out, 0, static_cast<std::size_t>(call.rows.num_rows) * sizeof(std::uint64_t), stream);
    fill_on_device(call.workspace, 0, workspace_bytes(layers, call.rows.num_rows), stream);
    for (std::size_t first = 0; first < layers.size(); first += layers_per_launch) {
      const CellSumParameters parameters = parameters_of(call, first);
      kernels.walk.launch(shape_for_warps(walk_blocks(key, parameters) * warps_per_block, warps_per_block), stream,
                          parameters);
    }
    if (!design_.has_finish) return;
    const std::int64_t blocks = (call.rows.num_rows + threads - 1) / threads;
    kernels.finish.launch(shape_for_warps(blocks * warps_per_block, warps_per_block), stream, parameters_of(call, 0));
  }

 private:
  KernelSource source_of(const WalkKernelKey& key) const {
    std::vector<std::string> kernels{"walk"};
    if (design_.has_finish) kernels.emplace_back("finish");
    return {"kernels/checksums/cuda/" + design_.name + ".cuh", kernels, key.constants()};
  }

  WalkKernels load(const WalkKernelKey& key) const {
    const KernelSource source = source_of(key);
    WalkKernels kernels;
    kernels.walk = load_kernel(source, "walk");
    if (design_.has_finish) kernels.finish = load_kernel(source, "finish");
    return kernels;
  }

  static CellSumParameters parameters_of(const DeviceChecksumCall& call, std::size_t first) {
    CellSumParameters parameters = cell_parameters(*call.layers, first, call.rows);
    parameters.out = reinterpret_cast<unsigned long long*>(call.out);
    const auto num_buffers = static_cast<std::int64_t>(2 * call.layers->size());
    const std::vector<std::int64_t> sampled =
        sampled_buffers(call.settings.seed, num_buffers, call.settings.sampled_buffers);
    parameters.first_sampled = static_cast<int>(sampled.front());
    parameters.num_sampled = static_cast<int>(sampled.size());
    parameters.workspace = static_cast<unsigned long long*>(call.workspace);
    return parameters;
  }

  std::int64_t walk_blocks(const WalkKernelKey& key, const CellSumParameters& parameters) const {
    const std::int64_t row_layers = parameters.num_rows * parameters.num_layers;
    if (design_.takes_thread_blocks) return 2 * row_layers;
    return (key.cells.warps_per_row() * row_layers + warps_per_block - 1) / warps_per_block;
  }

  WalkedChecksumDesign design_;
  mutable KernelTable<WalkKernelKey, WalkKernels> table_;
};

}  // namespace

std::unique_ptr<DeviceChecksum> make_walked_checksum(const WalkedChecksumDesign& design) {
  return std::make_unique<WalkedChecksum>(design);
}

}  // namespace kvarium

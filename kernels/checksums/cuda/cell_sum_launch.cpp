#include <algorithm>
#include <array>

#include "core/piece_view.hpp"
#include "kernels/checksums/cuda/cell_launch.hpp"
#include "kernels/checksums/cuda/piece_sum_launch.hpp"
#include "kernels/checksums/cuda/piece_sum_parameters.cuh"
#include "kernels/cuda/kernel_table.hpp"
#include "kernels/cuda/launch.hpp"

namespace kvarium {
namespace {

constexpr int warps_per_block = 4;

KernelSource source_of(const CellKernelKey& key) {
  return {"kernels/checksums/cuda/cell_sum.cuh", {"cell_sum"}, key.constants()};
}

/// Whether the cells are summed through one strided view, in memory's own order: where every layer has one of whole
/// pieces at addresses that can be read so. Views of other layouts have the distance of K and V in them, for which the
/// kernel would have to be compiled anew.
bool has_read_view(const PagedCacheView& cache, int piece_width) {
  return cache.geometry.layout == CacheLayout::packed && has_cell_pieces(cache, piece_width) &&
         reinterpret_cast<std::uintptr_t>(cell_pieces(cache, piece_width).address) %
                 static_cast<std::uintptr_t>(piece_width) ==
             0;
}

/// The view of layers [first, last), at most most_given_layers, which `views` comes to hold.
LayersChecksumArguments view_arguments(const std::vector<CacheLayer>& layers, std::size_t first, std::size_t last,
                                       int piece_width, std::array<ChecksumLayer, most_given_layers>& views) {
  constexpr std::int64_t vector_bytes = 16;
  LayersChecksumArguments arguments;
  arguments.aligned = true;
  for (std::size_t i = first; i < last; ++i) {
    const CellPieces cells = cell_pieces(layers[i].cache, piece_width);
    const auto address = reinterpret_cast<std::int64_t>(cells.address);
    views[i - first] = {address, layers[i].layer * heads_per_layer_weight + layers[i].first_head, 0};
    arguments.pieces = cells.view;
    arguments.aligned = arguments.aligned && address % vector_bytes == 0;
  }
  arguments.layers = views.data();
  arguments.num_layers = static_cast<std::int64_t>(last - first);
  return arguments;
}

void sum_through_view(const std::vector<CacheLayer>& layers, const ChecksumRows& rows, std::uint64_t* out,
                      DeviceChecksumSettings settings) {
  for (std::size_t first = 0; first < layers.size(); first += most_given_layers) {
    const std::size_t last = std::min<std::size_t>(layers.size(), first + most_given_layers);
    std::array<ChecksumLayer, most_given_layers> views;
    LayersChecksumArguments arguments = view_arguments(layers, first, last, settings.piece_width, views);
    arguments.rows = rows;
    arguments.out = out;
    sum_views_on_device(arguments, settings);
    settings.follows_zeroing = false;
  }
}

/// Launches for layers from `first` on.
void sum_some_cells(const std::vector<CacheLayer>& layers, std::size_t first, const ChecksumRows& rows,
                    std::uint64_t* out, const DeviceChecksumSettings& settings) {
  static KernelTable<CellKernelKey, DeviceKernel> table;
  const CellKernelKey key = cell_kernel_key(layers, settings);
  const DeviceKernel kernel = table.get(key, [&] { return load_kernel(source_of(key), "cell_sum"); });
  CellSumParameters parameters = cell_parameters(layers, first, rows);
  parameters.out = reinterpret_cast<unsigned long long*>(out);
  LaunchShape shape = shape_for_warps(key.warps_per_row() * rows.num_rows, warps_per_block);
  shape.grid[1] = static_cast<unsigned int>(parameters.num_layers);
  shape.is_dependent = settings.follows_zeroing;
  kernel.launch(shape, settings.stream, parameters);
}

void sum_through_cells(const std::vector<CacheLayer>& layers, const ChecksumRows& rows, std::uint64_t* out,
                       DeviceChecksumSettings settings) {
  for (std::size_t first = 0; first < layers.size(); first += layers_per_launch) {
    sum_some_cells(layers, first, rows, out, settings);
    settings.follows_zeroing = false;
  }
}

}  // namespace

KernelSource weighted_sum_source(const PagedCacheView& cache, const DeviceChecksumSettings& settings) {
  if (has_read_view(cache, settings.piece_width)) {
    std::array<ChecksumLayer, most_given_layers> views;
    return layers_checksum_source(view_arguments({{cache, 0, 0}}, 0, 1, settings.piece_width, views), settings);
  }
  return source_of(cell_kernel_key({{cache, 0, 0}}, settings));
}

void weighted_sum_on_device(const std::vector<CacheLayer>& layers, const ChecksumRows& rows, std::uint64_t* out,
                            const DeviceChecksumSettings& settings) {
  if (layers.empty() || rows.num_rows == 0) return;
  validate_device_layers(layers, settings.piece_width);
  if (std::all_of(layers.begin(), layers.end(),
                  [&](const CacheLayer& layer) { return has_read_view(layer.cache, settings.piece_width); })) {
    return sum_through_view(layers, rows, out, settings);
  }
  sum_through_cells(layers, rows, out, settings);
}

}  // namespace kvarium

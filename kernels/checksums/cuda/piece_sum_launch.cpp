#include "kernels/checksums/cuda/piece_sum_launch.hpp"

#include <algorithm>
#include <array>

#include "core/check.hpp"
#include "kernels/checksums/cuda/piece_sum_parameters.cuh"
#include "kernels/cuda/kernel_table.hpp"
#include "kernels/cuda/launch.hpp"

namespace kvarium {
namespace {

constexpr std::int64_t vector_bytes = 16;
/// As fast as longer ones on an H200, and enough for small rows.
constexpr std::int64_t default_chunk_bytes = 8192;
/// Layers are a grid's second axis.
constexpr std::int64_t most_layers = 65535;
constexpr int warps_per_block = 4;

/// What the kernel is compiled for, in the order of the constants' names below.
using PieceSumKey = std::array<std::int64_t, 13>;
constexpr std::array<const char*, 13> constant_names{
    "piece_width", "kernel_blocks",       "heads",       "tokens",       "pieces",       "is_vectorised",
    "axis_order",  "kernel_block_stride", "head_stride", "token_stride", "piece_stride", "follows_zeroing",
    "chunk"};

/// Whether every token's pieces are whole 16-byte vectors at aligned addresses.
bool suits_vectors(const LayersChecksumArguments& arguments) {
  const PieceView& view = arguments.pieces;
  const std::int64_t per_vector = vector_bytes / view.piece_width;
  const PieceStrides& strides = view.strides;
  const bool is_even = strides.block % per_vector == 0 && strides.kernel_block % per_vector == 0 &&
                       strides.head % per_vector == 0 && strides.token % per_vector == 0;
  return arguments.aligned && is_even && strides.piece == 1 && view.shape.pieces % per_vector == 0;
}

/// Axes (0 kernel block, 1 head, 2 token) by falling distance in memory, as three decimal digits.
std::int64_t axis_order(const PieceStrides& strides) {
  const std::array<std::int64_t, 3> distance{std::abs(strides.kernel_block), std::abs(strides.head),
                                             std::abs(strides.token)};
  std::array<std::int64_t, 3> axes{0, 1, 2};
  std::stable_sort(axes.begin(), axes.end(), [&](std::int64_t left, std::int64_t right) {
    return distance[static_cast<std::size_t>(left)] > distance[static_cast<std::size_t>(right)];
  });
  return 100 * axes[0] + 10 * axes[1] + axes[2];
}

std::int64_t pieces_per_row(const PieceShape& shape) {
  return shape.kernel_blocks * shape.heads * shape.tokens * shape.pieces;
}

/// An axis of length 1 has any stride; 0 spares a compilation.
std::int64_t stride_of(std::int64_t size, std::int64_t stride) { return size > 1 ? stride : 0; }

PieceSumKey key_of(const LayersChecksumArguments& arguments, const DeviceChecksumSettings& settings) {
  const PieceView& view = arguments.pieces;
  const PieceShape& shape = view.shape;
  const std::int64_t wanted = settings.chunk > 0 ? settings.chunk : default_chunk_bytes / view.piece_width;
  const std::int64_t chunk = std::min(wanted, pieces_per_row(shape));
  const std::int64_t per_vector = vector_bytes / view.piece_width;
  return {view.piece_width,
          shape.kernel_blocks,
          shape.heads,
          shape.tokens,
          shape.pieces,
          suits_vectors(arguments) ? 1 : 0,
          axis_order(view.strides),
          stride_of(shape.kernel_blocks, view.strides.kernel_block),
          stride_of(shape.heads, view.strides.head),
          stride_of(shape.tokens, view.strides.token),
          stride_of(shape.pieces, view.strides.piece),
          settings.follows_zeroing ? 1 : 0,
          std::max<std::int64_t>(chunk / per_vector, 1) * per_vector};
}

KernelSource source_of(const PieceSumKey& key) {
  VariantConstants constants;
  for (std::size_t i = 0; i < key.size(); ++i) constants.add(constant_names[i], key[i]);
  return {"kernels/checksums/cuda/piece_sum.cuh", {"piece_sum"}, constants};
}

/// Without the layers.
PieceSumParameters parameters_of(const LayersChecksumArguments& arguments) {
  static_assert(sizeof(ChecksumLayer) == sizeof(SummedView));
  const auto array = [](const std::int64_t* values) { return reinterpret_cast<const long long*>(values); };
  PieceSumParameters parameters{};
  parameters.block_ids = array(arguments.rows.block_ids);
  parameters.first_tokens = array(arguments.rows.first_tokens);
  parameters.valid_tokens = array(arguments.rows.valid_tokens);
  parameters.num_rows = arguments.rows.num_rows;
  parameters.out = reinterpret_cast<unsigned long long*>(arguments.out);
  parameters.out_stride = arguments.out_stride != 0 ? arguments.out_stride : arguments.num_columns;
  parameters.num_columns = arguments.num_columns;
  parameters.num_blocks = arguments.pieces.shape.num_blocks;
  parameters.block_stride = arguments.pieces.strides.block;
  return parameters;
}

void validate_sizes(const LayersChecksumArguments& arguments) {
  constexpr std::int64_t most = std::int64_t{1} << 30;
  const std::int64_t pieces = pieces_per_row(arguments.pieces.shape);
  KVARIUM_VALIDATE(arguments.num_layers <= most_layers, "there are ", arguments.num_layers, " layers; at most ",
                   most_layers, " can be summed in one call on a device");
  KVARIUM_VALIDATE(pieces < most, "a row has ", pieces, " pieces; at most ", most - 1, " can be summed on a device");
}

void launch(const LayersChecksumArguments& arguments, const PieceSumParameters& parameters, std::int64_t num_layers,
            const DeviceChecksumSettings& settings) {
  static KernelTable<PieceSumKey, DeviceKernel> table;
  const PieceSumKey key = key_of(arguments, settings);
  const DeviceKernel kernel = table.get(key, [&] { return load_kernel(source_of(key), "piece_sum"); });
  const std::int64_t chunks = (pieces_per_row(arguments.pieces.shape) + key.back() - 1) / key.back();
  LaunchShape shape = shape_for_warps(chunks * arguments.rows.num_rows, warps_per_block);
  shape.grid[1] = static_cast<unsigned int>(num_layers);
  shape.is_dependent = settings.follows_zeroing;
  kernel.launch(shape, settings.stream, parameters);
}

}  // namespace

KernelSource layers_checksum_source(const LayersChecksumArguments& arguments, const DeviceChecksumSettings& settings) {
  return source_of(key_of(arguments, settings));
}

void layers_checksum_on_device(const LayersChecksumArguments& arguments, const DeviceChecksumSettings& settings) {
  validate_sizes(arguments);
  const std::int64_t pieces = pieces_per_row(arguments.pieces.shape);
  if (pieces == 0 || arguments.num_layers == 0 || arguments.rows.num_rows == 0) return;
  PieceSumParameters parameters = parameters_of(arguments);
  parameters.layers = reinterpret_cast<const SummedView*>(arguments.layers);
  launch(arguments, parameters, arguments.num_layers, settings);
}

void sum_views_on_device(const LayersChecksumArguments& arguments, const DeviceChecksumSettings& settings) {
  KVARIUM_EXPECT(arguments.num_layers <= most_given_layers);
  validate_sizes(arguments);
  PieceSumParameters parameters = parameters_of(arguments);
  for (std::int64_t i = 0; i < arguments.num_layers; ++i) {
    const ChecksumLayer& layer = arguments.layers[i];
    parameters.given_layers[i] = {layer.address, layer.first_head, layer.column};
  }
  launch(arguments, parameters, arguments.num_layers, settings);
}

}  // namespace kvarium

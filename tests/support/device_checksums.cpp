#include "tests/support/device_checksums.hpp"

#include <algorithm>
#include <array>

#include "tests/support/device_arrays.hpp"

namespace kvarium::test {
namespace {

/// Bytes of a view before and after its address.
struct ViewReach {
  std::int64_t before = 0;
  std::int64_t after = 0;
};

ViewReach reach_of(const PieceView& view) {
  const PieceShape& shape = view.shape;
  const PieceStrides& strides = view.strides;
  const std::array<std::pair<std::int64_t, std::int64_t>, 5> axes{{{shape.num_blocks, strides.block},
                                                                   {shape.kernel_blocks, strides.kernel_block},
                                                                   {shape.heads, strides.head},
                                                                   {shape.tokens, strides.token},
                                                                   {shape.pieces, strides.piece}}};
  ViewReach reach{0, 1};
  for (const auto& [size, stride] : axes) {
    if (size == 0) return {0, 0};
    (stride < 0 ? reach.before : reach.after) += (size - 1) * std::abs(stride);
  }
  return {reach.before * view.piece_width, reach.after * view.piece_width};
}

/// `block_size`: of the rows' token ids.
void stage_rows(ChecksumRows& rows, DeviceArrays& arrays, int block_size = 0) {
  const std::size_t bytes = static_cast<std::size_t>(rows.num_rows) * sizeof(std::int64_t);
  arrays.copy(rows.block_ids, bytes);
  arrays.copy(rows.first_tokens, bytes);
  arrays.copy(rows.valid_tokens, bytes);
  arrays.copy(rows.token_ids, bytes * static_cast<std::size_t>(block_size));
}

}  // namespace

void sum_pieces_on_device(const LayersChecksumArguments& arguments, const DeviceChecksumSettings& settings) {
  LayersChecksumArguments staged = arguments;
  DeviceArrays arrays;
  stage_rows(staged.rows, arrays);
  const ViewReach reach = reach_of(arguments.pieces);
  std::vector<ChecksumLayer> layers(arguments.layers, arguments.layers + arguments.num_layers);
  for (ChecksumLayer& layer : layers) {
    const auto* first = reinterpret_cast<const std::byte*>(layer.address - reach.before);
    arrays.copy(first, static_cast<std::size_t>(reach.before + reach.after));
    layer.address = reinterpret_cast<std::int64_t>(first) + reach.before;
  }
  staged.layers = layers.data();
  arrays.copy(staged.layers, layers.size() * sizeof(ChecksumLayer));
  // Rows may go backwards, so `out` is staged as a whole around its first row.
  const std::int64_t stride = arguments.out_stride != 0 ? arguments.out_stride : arguments.num_columns;
  const std::int64_t span = std::max<std::int64_t>(arguments.rows.num_rows - 1, 0) * std::abs(stride);
  std::uint64_t* first = arguments.out - (stride < 0 ? span : 0);
  arrays.copy_back(first, static_cast<std::size_t>(span + arguments.num_columns) * sizeof(std::uint64_t));
  staged.out = first + (stride < 0 ? span : 0);
  layers_checksum_on_device(staged, settings);
  arrays.fetch();
}

std::vector<std::uint64_t> values_on_device(const std::string& family, const std::vector<CacheLayer>& layers,
                                            const ChecksumRows& rows, const DeviceChecksumSettings& settings) {
  const DeviceChecksum& checksum = device_checksums().at(family);
  DeviceArrays arrays;
  DeviceChecksumCall call{nullptr, rows, nullptr, nullptr, settings};
  stage_rows(call.rows, arrays, layers.front().cache.geometry.block_size);
  std::vector<CacheLayer> staged = layers;
  const std::vector<std::int64_t> blocks(rows.block_ids, rows.block_ids + rows.num_rows);
  for (CacheLayer& layer : staged) arrays.copy_blocks(layer.cache, blocks);
  call.layers = &staged;
  // Neither is read before it is written.
  const auto words = checksum_families().at(family).words_per_row(layers, {});
  std::vector<std::uint64_t> values(static_cast<std::size_t>(rows.num_rows * words), 0x5555);
  call.out = values.data();
  arrays.copy_back(call.out, values.size() * sizeof(std::uint64_t));
  const DeviceBytes workspace(checksum.workspace_bytes(staged, rows.num_rows));
  fill_on_device(workspace.data(), 0xFF, workspace.size_bytes());
  call.workspace = workspace.data();
  checksum.run(call);
  arrays.fetch();
  return values;
}

}  // namespace kvarium::test

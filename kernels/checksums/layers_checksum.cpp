#include "kernels/checksums/layers_checksum.hpp"

#include "core/check.hpp"

namespace kvarium {
namespace {

void validate_pieces(const PieceView& pieces) {
  const int width = pieces.piece_width;
  KVARIUM_VALIDATE(width == 1 || width == 2 || width == 4 || width == 8, "piece width is ", width,
                   " bytes; use 1, 2, 4 or 8");
  const PieceShape& shape = pieces.shape;
  KVARIUM_VALIDATE(shape.num_blocks >= 0 && shape.kernel_blocks >= 0 && shape.heads >= 0 && shape.tokens >= 0 &&
                       shape.pieces >= 0,
                   "the piece view has a negative size; use [num_blocks, kernel_blocks, heads, tokens, pieces] >= 0");
}

void validate_layer(const LayersChecksumArguments& arguments, std::int64_t index) {
  const ChecksumLayer& layer = arguments.layers[index];
  const std::int64_t heads = arguments.pieces.shape.heads;
  KVARIUM_VALIDATE(layer.first_head >= 0, "layers[", index, "] has first head ", layer.first_head,
                   "; use layer * 65536 + head, 0 or more");
  KVARIUM_VALIDATE(layer.first_head % heads_per_layer_weight + heads <= heads_per_layer_weight, "layers[", index,
                   "] has head ", layer.first_head % heads_per_layer_weight, " and the view ", heads,
                   " heads; their end must not pass 65536");
  KVARIUM_VALIDATE(layer.column >= 0 && layer.column < arguments.num_columns, "layers[", index, "] adds to column ",
                   layer.column, "; out has columns 0 to ", arguments.num_columns - 1);
  KVARIUM_VALIDATE(!arguments.aligned || layer.address % 16 == 0, "layers[", index,
                   "] is not at a 16-byte aligned address although aligned is true; pass aligned = false");
}

void validate_row(const LayersChecksumArguments& arguments, std::int64_t row) {
  const std::int64_t block = arguments.rows.block_ids[row];
  const std::int64_t num_blocks = arguments.pieces.shape.num_blocks;
  KVARIUM_VALIDATE(block >= 0 && block < num_blocks, "block_ids[", row, "] is ", block, "; use 0 to ", num_blocks - 1,
                   " (num_blocks - 1)");
  KVARIUM_VALIDATE(arguments.rows.first_tokens[row] >= 0, "first_tokens[", row, "] is ",
                   arguments.rows.first_tokens[row], "; use 0 or more");
}

}  // namespace

void register_layers_checksum_families(Registry<LayersChecksumFamily>& registry);

const Registry<LayersChecksumFamily>& layers_checksum_families() {
  static const Registry<LayersChecksumFamily> registry = [] {
    Registry<LayersChecksumFamily> families("layers_checksum family");
    register_layers_checksum_families(families);
    return families;
  }();
  return registry;
}

void validate_arguments(const LayersChecksumArguments& arguments) {
  validate_pieces(arguments.pieces);
  const std::int64_t apart = arguments.out_stride < 0 ? -arguments.out_stride : arguments.out_stride;
  KVARIUM_VALIDATE(apart == 0 || apart >= arguments.num_columns, "rows of out are ", arguments.out_stride,
                   " elements apart but hold ", arguments.num_columns, " columns; use rows that do not overlap");
  for (std::int64_t layer = 0; layer < arguments.num_layers; ++layer) validate_layer(arguments, layer);
  for (std::int64_t row = 0; row < arguments.rows.num_rows; ++row) validate_row(arguments, row);
}

void layers_checksum(const LayersChecksumArguments& arguments, const std::string& family) {
  const LayersChecksumFamily& implementation = layers_checksum_families().at(family);
  validate_arguments(arguments);
  implementation.run(arguments);
}

}  // namespace kvarium

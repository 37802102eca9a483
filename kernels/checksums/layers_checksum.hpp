#pragma once

#include <cstdint>
#include <string>

#include "core/piece_view.hpp"
#include "core/registry.hpp"

namespace kvarium {

/// Weights of layer and head never meet below this many heads.
inline constexpr std::int64_t heads_per_layer_weight = 65536;

/// One layer of a launch: address of its first piece, global position weight, destination column.
struct ChecksumLayer {
  std::int64_t address = 0;     ///< of the view's piece [0, 0, 0, 0, 0]
  std::int64_t first_head = 0;  ///< layer * 65536 + global number of the view's first head
  std::int64_t column = 0;      ///< of `out`
};

/// Block rows to be summed, n of each.
struct ChecksumRows {
  const std::int64_t* block_ids = nullptr;  ///< [n] logical block ids, indices into the view
  /// [n] position in the request of the block's first token; 0: block position
  const std::int64_t* first_tokens = nullptr;
  const std::int64_t* valid_tokens = nullptr;  ///< [n] tokens summed from the block's start; clamped to the block
  std::int64_t num_rows = 0;
  /// [n, block_size] ids of the blocks' tokens, for checksums that bind them; null: none are known
  const std::int64_t* token_ids = nullptr;
};

/// Arguments of layers_checksum. `out` [num_rows, num_columns] uint64 is added to, modulo 2^64; its columns lie side by
/// side.
struct LayersChecksumArguments {
  PieceView pieces;
  const ChecksumLayer* layers = nullptr;  ///< [num_layers]
  std::int64_t num_layers = 0;
  ChecksumRows rows;
  std::uint64_t* out = nullptr;
  std::int64_t num_columns = 1;
  /// Promises 16-byte aligned layer addresses; checked, not trusted.
  bool aligned = false;
  std::int64_t out_stride = 0;  ///< signed, elements between two rows of `out`; 0: num_columns

  std::uint64_t* out_row(std::int64_t row) const { return out + row * (out_stride != 0 ? out_stride : num_columns); }
};

/// Block ids, columns, first_head + heads <= 65536 per layer, first_tokens >= 0, rows of `out` that do not overlap,
/// alignment. Errors: InputError.
void validate_arguments(const LayersChecksumArguments& arguments);

/// One implementation of layers_checksum.
class LayersChecksumFamily {
 public:
  virtual ~LayersChecksumFamily() = default;
  virtual std::string description() const = 0;
  /// Precondition: validated arguments.
  virtual void run(const LayersChecksumArguments& arguments) const = 0;
};

const Registry<LayersChecksumFamily>& layers_checksum_families();

/// Adds to out[r, column], for every row r and layer, the sum over kernel block, head, token t < valid_tokens[r]
/// and piece p of (2*(first_head + head) + 1) * (2*((first_tokens[r] + t)*pieces + p) + 1) * x modulo 2^64,
/// x the piece read as unsigned, t counted over the whole logical block. Order-free integer sum: every
/// implementation gives the same bits. Source: vLLM's kv_checksum layers_checksum.
void layers_checksum(const LayersChecksumArguments& arguments, const std::string& family = "host");

}  // namespace kvarium

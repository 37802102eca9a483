#include "kernels/checksums/syndrome.hpp"

#include <cstring>

#include "kernels/checksums/cell_checksum.hpp"
#include "kernels/checksums/mixed_sum.hpp"

namespace kvarium {
namespace {

WideInteger wide_of(std::uint64_t low, std::uint64_t high) {
  return static_cast<WideInteger>(high) << 64 | static_cast<WideInteger>(low);
}

/// The piece of that number, its value left out.
PieceRepair place_of(const CacheGeometry& geometry, const BlockRow& row, std::int64_t number) {
  const std::int64_t pieces = cell_bytes(geometry) / mixed_piece_width;
  const std::int64_t cell = (number - 1) / pieces;
  return {0, cell / row.valid_tokens, cell % row.valid_tokens, (number - 1) % pieces, 0};
}

std::uint32_t present_value(const PagedCacheView& cache, const BlockRow& row, const PieceRepair& place) {
  std::byte cell[detail::largest_cell_bytes];
  detail::copy_cell_bytes(cache, row.block, place.head, place.token, cell);
  std::uint32_t piece;
  std::memcpy(&piece, cell + place.piece * mixed_piece_width, sizeof(piece));
  return piece;
}

}  // namespace

LayerSyndrome LayerSyndrome::from_words(std::span<const std::uint64_t> words) {
  return {wide_of(words[0], words[1]), wide_of(words[2], words[3]), words[4]};
}

void LayerSyndrome::to_words(std::span<std::uint64_t> words) const {
  words[0] = static_cast<std::uint64_t>(sum);
  words[1] = static_cast<std::uint64_t>(sum >> 64);
  words[2] = static_cast<std::uint64_t>(numbered_sum);
  words[3] = static_cast<std::uint64_t>(numbered_sum >> 64);
  words[4] = mixed_sum;
}

std::optional<PieceRepair> locate_piece(const CacheLayer& layer, const BlockRow& row, const LayerSyndrome& recorded,
                                        const LayerSyndrome& recomputed, std::uint64_t seed) {
  const CacheGeometry& geometry = layer.cache.geometry;
  const WideInteger difference = recomputed.sum - recorded.sum;
  const WideInteger numbered = recomputed.numbered_sum - recorded.numbered_sum;
  if (row.valid_tokens == 0 || difference == 0 || numbered % difference != 0) return {};
  const WideInteger last = piece_number(geometry, row, geometry.num_kv_heads, 0, 0) - 1;
  const WideInteger number = numbered / difference;
  if (number < 1 || number > last) return {};
  PieceRepair repair = place_of(geometry, row, static_cast<std::int64_t>(number));
  const WideInteger value = WideInteger{present_value(layer.cache, row, repair)} - difference;
  if (value < 0 || value > WideInteger{0xFFFFFFFFU}) return {};
  const std::uint64_t key = MixedKeys(seed)
                                .cell(layer, repair.head, row.first_token + repair.token)
                                .piece_key(static_cast<unsigned int>(repair.piece));
  if (recomputed.mixed_sum - key * static_cast<std::uint64_t>(difference) != recorded.mixed_sum) return {};
  repair.value = static_cast<std::uint32_t>(value);
  return repair;
}

}  // namespace kvarium

#include "sim/faults/block_permutation.hpp"

#include <algorithm>
#include <utility>

#include "core/check.hpp"
#include "core/enum_names.hpp"
#include "sim/random_order.hpp"

namespace kvarium {
namespace {

/// A matrix [rows, columns] of units of `unit_bytes`, repeated over an image.
struct UnitMatrix {
  std::int64_t rows = 1;
  std::int64_t columns = 1;
  std::int64_t unit_bytes = 1;

  std::int64_t bytes() const { return rows * columns * unit_bytes; }
};

void copy_unit(std::span<const std::uint8_t> from, std::int64_t source, std::span<std::uint8_t> to,
               std::int64_t destination, std::int64_t unit_bytes) {
  std::copy_n(from.begin() + source * unit_bytes, unit_bytes, to.begin() + destination * unit_bytes);
}

/// Memory filled as [rows, columns] and read as [columns, rows], told in the place of the reader's [rows, columns].
void transpose(std::span<const std::uint8_t> from, std::span<std::uint8_t> to, const UnitMatrix& matrix) {
  for (std::int64_t place = 0; place < matrix.rows * matrix.columns; ++place) {
    const std::int64_t destination = place % matrix.rows * matrix.columns + place / matrix.rows;
    copy_unit(from, place, to, destination, matrix.unit_bytes);
  }
}

/// The reverse of `transpose`.
void transpose_back(std::span<const std::uint8_t> from, std::span<std::uint8_t> to, const UnitMatrix& matrix) {
  for (std::int64_t place = 0; place < matrix.rows * matrix.columns; ++place) {
    const std::int64_t source = place % matrix.rows * matrix.columns + place / matrix.rows;
    copy_unit(from, source, to, place, matrix.unit_bytes);
  }
}

using Image = std::vector<std::uint8_t>;

/// K and V rows of one KV head: [block_size, 2] rows, one head after another.
template <class Permute>
Image permute_rows(const CacheGeometry& geometry, std::span<const std::uint8_t> cells, Permute permute) {
  const UnitMatrix rows{geometry.block_size, 2, cell_bytes(geometry) / 2};
  Image image(cells.size());
  const std::span<std::uint8_t> to(image);
  for (std::int64_t head = 0; head < geometry.num_kv_heads; ++head) {
    const auto first = static_cast<std::size_t>(head * rows.bytes());
    const auto size = static_cast<std::size_t>(rows.bytes());
    permute(cells.subspan(first, size), to.subspan(first, size), rows);
  }
  return image;
}

/// Elements [block_size, head_size] of K and of V: their rows are brought together, permuted, and put back.
template <class Permute>
Image permute_elements(const CacheGeometry& geometry, std::span<const std::uint8_t> cells, Permute permute) {
  const std::int64_t width = element_bytes(geometry.element_type);
  const UnitMatrix elements{geometry.block_size, geometry.head_size, width};
  const Image parts = permute_rows(geometry, cells, transpose_back);
  Image permuted(parts.size());
  const std::span<std::uint8_t> to(permuted);
  const std::span<const std::uint8_t> from(parts);
  for (std::size_t first = 0; first < parts.size(); first += static_cast<std::size_t>(elements.bytes())) {
    const auto size = static_cast<std::size_t>(elements.bytes());
    permute(from.subspan(first, size), to.subspan(first, size), elements);
  }
  return permute_rows(geometry, permuted, transpose);
}

Image shuffle_tokens(const CacheGeometry& geometry, std::span<const std::uint8_t> cells, CounterRandom& random) {
  const std::vector<std::size_t> order = random_order(static_cast<std::size_t>(geometry.block_size), random);
  Image image(cells.size());
  for (std::int64_t head = 0; head < geometry.num_kv_heads; ++head) {
    const std::int64_t first = head * geometry.block_size;
    for (std::int64_t token = 0; token < geometry.block_size; ++token) {
      const auto source = static_cast<std::int64_t>(order[static_cast<std::size_t>(token)]);
      copy_unit(cells, first + source, image, first + token, cell_bytes(geometry));
    }
  }
  return image;
}

Image shuffle_bytes(std::span<const std::uint8_t> cells, CounterRandom& random) {
  Image image(cells.begin(), cells.end());
  for (std::size_t i = image.size(); i > 1; --i) std::swap(image[i - 1], image[random.below(i)]);
  return image;
}

}  // namespace

const std::vector<std::string>& block_permutation_names() {
  static const std::vector<std::string> names{"interleaved_to_split", "split_to_interleaved", "structs_to_arrays",
                                              "arrays_to_structs",    "shuffled_tokens",      "shuffled_bytes"};
  return names;
}

std::string to_string(BlockPermutation permutation) {
  return block_permutation_names().at(static_cast<std::size_t>(permutation));
}

BlockPermutation parse_block_permutation(std::string_view name) {
  return parse_enum<BlockPermutation>("permutation", name, block_permutation_names());
}

std::vector<std::uint8_t> permute_block(const CacheGeometry& geometry, std::span<const std::uint8_t> cells,
                                        BlockPermutation permutation, CounterRandom& random) {
  KVARIUM_EXPECT(static_cast<std::int64_t>(cells.size()) ==
                 std::int64_t{geometry.num_kv_heads} * geometry.block_size * cell_bytes(geometry));
  switch (permutation) {
    case BlockPermutation::interleaved_to_split:
      return permute_rows(geometry, cells, transpose);
    case BlockPermutation::split_to_interleaved:
      return permute_rows(geometry, cells, transpose_back);
    case BlockPermutation::structs_to_arrays:
      return permute_elements(geometry, cells, transpose);
    case BlockPermutation::arrays_to_structs:
      return permute_elements(geometry, cells, transpose_back);
    case BlockPermutation::shuffled_tokens:
      return shuffle_tokens(geometry, cells, random);
    case BlockPermutation::shuffled_bytes:
      return shuffle_bytes(cells, random);
  }
  return {cells.begin(), cells.end()};
}

}  // namespace kvarium

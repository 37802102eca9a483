#pragma once

#include "kernels/checksums/cuda/crc_polynomials.cuh"
#include "kernels/checksums/cuda/walk_cells.cuh"

// A CRC is linear: the register after a message is the exclusive or of what each element leaves behind, moved on by the
// bytes that follow it, and of what the starting register leaves behind.

namespace kvarium {

template <class Ring>
constexpr CrcPowers<Ring> powers_of_byte(Ring::shifted(Ring::one, 8));

/// x^(8 * bytes) for the distances within a cell.
template <class Ring>
struct CellDistances {
  typename Ring::Word factors[2 * variant::head_size];

  constexpr CellDistances() : factors{} {
    typename Ring::Word factor = Ring::one;
    for (auto& entry : factors) {
      entry = factor;
      factor = Ring::shifted(factor, 8 * element_size);
    }
  }
};

template <class Ring>
constexpr CellDistances<Ring> cell_distances;

template <class Ring>
struct CrcWalk {
  using Word = typename Ring::Word;

  int64 cells;           ///< of the row
  int64 open_cell = -1;  ///< whose elements are being added
  Word open_part = 0;    ///< what they leave behind at the end of their cell
  Word remainder = 0;

  CrcWalk(const CellSumParameters& parameters, const WalkedRow& row)
      : cells(row_bytes(parameters, row.cells.valid_tokens) / cell_size) {}

  void add(const ElementPlace& place, uint32 bits) {
    if (place.cell != open_cell) close();
    open_cell = place.cell;
    const int elements_after = (cell_size - place.byte) / element_size - 1;
    open_part ^= Ring::product(Ring::after_bytes(bits, element_size), cell_distances<Ring>.factors[elements_after]);
  }

  void close() {
    if (open_cell < 0) return;
    const uint64 bytes_after = static_cast<uint64>(cells - open_cell - 1) * cell_size;
    remainder ^= Ring::product(open_part, powers_of_byte<Ring>.power(bytes_after));
    open_part = 0;
  }

  void flush(const CellSumParameters& parameters, const WalkedRow& row) {
    close();
    const uint64 total = fold_over_warp(remainder);
    if (is_first_lane()) atomicXor(parameters.out + row.row, total);
  }
};

template <class Ring>
void finish_crc(const CellSumParameters& parameters, int64 row, int64 valid_tokens) {
  using Word = typename Ring::Word;
  const Word factor = powers_of_byte<Ring>.power(static_cast<uint64>(row_bytes(parameters, valid_tokens)));
  const Word start = Ring::product(Ring::edge, factor);
  parameters.out[row] = static_cast<Word>(static_cast<Word>(parameters.out[row]) ^ start ^ Ring::edge);
}

}  // namespace kvarium

#pragma once

#include "kernels/cache/cuda/slice_records_parameters.cuh"
#include "kernels/checksums/cuda/mixed_pieces.cuh"
#include "kernels/cuda/device/types.cuh"
#include "variant.cuh"

// What an element adds to the record of its slice, by checksum.

namespace kvarium {

constexpr int element_size = element_bytes(variant::cache_type);

/// weighted_sum with 8-byte pieces: the head's weight is the whole slice's.
struct WeightedRecord {
  static constexpr int piece_bytes = 8;
  static constexpr int pieces_per_cell = 2 * variant::head_size * element_size / piece_bytes;

  uint64 head_weight;

  WeightedRecord(const SliceRecordsParameters& parameters, int64 head)
      : head_weight(2 * static_cast<uint64>(parameters.first_head + head) + 1) {}

  /// Weights of the cell at `position` in the request.
  struct Cell {
    int64 position;

    Cell(const WeightedRecord&, int64 token) : position(token) {}

    /// What the bits at byte `byte` of the cell add.
    uint64 term(uint64 bits, int byte) const {
      const uint64 number = static_cast<uint64>(position) * pieces_per_cell + static_cast<uint64>(byte / piece_bytes);
      return ((2 * number + 1) * bits) << (8 * (byte % piece_bytes));
    }
  };

  uint64 value(uint64 sum) const { return head_weight * sum; }
};

/// mixed_sum: every piece of every cell has a key of its own.
struct MixedRecord {
  uint64 head_key;

  MixedRecord(const SliceRecordsParameters& parameters, int64 head)
      : head_key(mixed_head_key(parameters.seed_key, static_cast<uint64>(parameters.first_head + head))) {}

  struct Cell {
    MixedCellKey key;

    Cell(const MixedRecord& record, int64 token) : key(mixed_cell_key(record.head_key, static_cast<uint64>(token))) {}

    uint64 term(uint64 bits, int byte) const {
      MixedSums sums;
      add_bits(sums, key, byte, static_cast<uint32>(bits));
      return sums.value();
    }
  };

  static uint64 value(uint64 sum) { return sum; }
};

using RecordSum = Selected<variant::checksum == SliceChecksum::mixed_sum, MixedRecord, WeightedRecord>;

}  // namespace kvarium

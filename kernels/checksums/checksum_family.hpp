#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/paged_cache_view.hpp"
#include "core/registry.hpp"
#include "kernels/checksums/block_row.hpp"
#include "kernels/checksums/checksum_parameters.hpp"
#include "kernels/checksums/layers_checksum.hpp"

namespace kvarium {

/// What a checksum promises; contract tests hold it to each point.
struct ChecksumTraits {
  std::string description;
  int width_bits = 64;                     ///< of each word of a value
  bool order_sensitive = true;             ///< sees exchanged tokens, heads, layers and blocks
  bool additive = true;                    ///< parts sum to the whole over layers, heads and ranks
  bool layout_independent = true;          ///< equal cells give equal values in every layout
  bool masks_tail = true;                  ///< bytes past the valid tokens do not matter
  bool sees_each_byte = true;              ///< another value of any single byte that it covers is always seen
  bool updates = false;                    ///< follows changed bytes without reading the row again
  bool beside_slots = false;               ///< records lie beside the slots and are checked at every step
  bool repairs = false;                    ///< finds a single damaged piece and its value from before
  std::vector<std::string> blind_classes;  ///< fault classes it cannot see by construction
  std::vector<std::string> settings{"zero_means_absent"};  ///< of ChecksumParameters, those that it takes
};

/// One layer's cache with its place in the whole model.
struct CacheLayer {
  PagedCacheView cache;
  std::int64_t layer = 0;
  std::int64_t first_head = 0;
};

/// What was recorded of a row. Presence is separate from value: 0 is a value.
struct ChecksumRecord {
  std::span<const std::uint64_t> words;  ///< [words_per_row]
  bool is_present = true;
};

/// What comparing a record with a recomputed value says.
enum class ChecksumJudgement : std::uint8_t { clean, mismatch, unverified };

/// A 32-bit piece of a cell as it was when the row was recorded.
struct PieceRepair {
  std::size_t layer = 0;   ///< index in the call's list of layers
  std::int64_t head = 0;   ///< of the layer's cache
  std::int64_t token = 0;  ///< of the block
  std::int64_t piece = 0;  ///< of the cell
  std::uint32_t value = 0;

  bool operator==(const PieceRepair&) const = default;
};

/// A checksum over the cells of block rows. A row's value is a number of 64-bit words.
class ChecksumFamily {
 public:
  virtual ~ChecksumFamily() = default;

  /// What it promises with these settings.
  virtual ChecksumTraits traits(const ChecksumParameters& parameters) const = 0;
  /// The same with all settings at their defaults.
  ChecksumTraits traits() const { return traits(ChecksumParameters{}); }

  /// Words of one row's value.
  virtual std::int64_t words_per_row(const std::vector<CacheLayer>& layers, const ChecksumParameters& parameters) const;

  /// Values [num_rows, words_per_row], one per block row over all `layers`. Errors: InputError for bad ids, widths or
  /// settings.
  virtual std::vector<std::uint64_t> compute(const std::vector<CacheLayer>& layers, const ChecksumRows& rows,
                                             const ChecksumParameters& parameters) const = 0;

  /// Compares a row's record with its value as it is now [words_per_row]. An absent record is unverified, and so is one
  /// of zeros where zero means absent.
  virtual ChecksumJudgement judge(const ChecksumRecord& recorded, std::span<const std::uint64_t> recomputed,
                                  const ChecksumParameters& parameters) const;

  /// Turns a row's value [words_per_row] into its value after `changes`, each of another byte, and is true; or leaves
  /// it, and is false, where only summing the row again tells. Allocates nothing and reads no cache. Precondition:
  /// `words` is the value while every changed byte was `before`, valid tokens are clamped to the block.
  virtual bool update(const std::vector<CacheLayer>& layers, const BlockRow& row, std::span<const ChangedByte> changes,
                      const ChecksumParameters& parameters, std::span<std::uint64_t> words) const;

  /// Pieces that make a mismatching row what it was when it was recorded, one a layer at most; nothing where it cannot
  /// tell. `layers` hold the row as it is now, whose value is `recomputed`; they are not changed.
  virtual std::optional<std::vector<PieceRepair>> repair(const std::vector<CacheLayer>& layers, const BlockRow& row,
                                                         std::span<const std::uint64_t> recorded,
                                                         std::span<const std::uint64_t> recomputed,
                                                         const ChecksumParameters& parameters) const;
};

const Registry<ChecksumFamily>& checksum_families();

}  // namespace kvarium

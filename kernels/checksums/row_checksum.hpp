#pragma once

#include "kernels/checksums/checksum_family.hpp"

namespace kvarium {

/// A checksum whose value of one row depends on that row alone. Rows are summed on all cores.
class RowChecksum : public ChecksumFamily {
 public:
  std::vector<std::uint64_t> compute(const std::vector<CacheLayer>& layers, const ChecksumRows& rows,
                                     const ChecksumParameters& parameters) const final;

 protected:
  /// What else must hold of a call, beside ids and widths. Errors: InputError.
  virtual void validate_call(const std::vector<CacheLayer>& layers, const ChecksumParameters& parameters) const;

  /// Writes the value of one row into `words` [words_per_row], which are 0. Precondition: everything is validated,
  /// valid tokens are clamped to the block.
  virtual void sum_row(const std::vector<CacheLayer>& layers, const BlockRow& row, const ChecksumParameters& parameters,
                       std::span<std::uint64_t> words) const = 0;
};

}  // namespace kvarium

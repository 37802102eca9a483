#pragma once

#include <array>
#include <string>
#include <vector>

#include "tests/support/attend.hpp"
#include "tests/support/random_cache.hpp"

namespace kvarium::test {

inline constexpr std::array all_layouts{CacheLayout::split_x, CacheLayout::nhd, CacheLayout::hnd, CacheLayout::packed};

/// Options of a call that the oracle knows too; scale 0 stands for the case's own.
struct DecodeOptions {
  bool alibi = false, sinks = false;
  float softcap = 0, scale = 0, key_scale = 1, value_scale = 1;
  std::int64_t window = 0;
};

/// Nine sequences that end at the edges of blocks of 16 tokens and of partitions of 64, one of them empty.
DecodeShape small_shape();

/// The case's arguments with `options`, which write into `result`.
PagedAttentionArguments decode_arguments(const DecodeCase& item, DecodeResult& result,
                                         const DecodeOptions& options = {});

/// Result of the case. Skips the test, with the reason, where the family refuses the variant.
DecodeResult run_decode(const DecodeCase& item, const AttentionVariant& variant, const DecodeOptions& options = {});

/// Runs `arguments`, which write into `result`, and checks both with the contract's tolerance. A family that refuses
/// the variant must say so and write nothing.
void check_against_oracle(const PagedAttentionArguments& arguments, const DecodeResult& result,
                          const AttentionVariant& variant);

/// The same for a case.
void check_against_oracle(const DecodeCase& item, const AttentionVariant& variant, const DecodeOptions& options = {});

}  // namespace kvarium::test

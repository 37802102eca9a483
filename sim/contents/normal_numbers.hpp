#pragma once

#include <cstdint>
#include <span>

#include "core/random.hpp"

namespace kvarium {

/// Kind of row random numbers are drawn for; never renumber, only add.
enum class ContentPart : std::uint64_t { key = 1, value = 2, query = 3 };

/// One token's row of contents.
struct ContentRow {
  ContentPart part = ContentPart::key;
  std::int64_t layer = 0;
  std::int64_t owner = 0;  ///< 0: the shared prefix; s + 1: sequence s
  std::int64_t token = 0;  ///< position in the sequence
};

/// Fills `numbers` with standard normal float32 numbers, a function of (key, row, index) only. Their streams never meet
/// those of CounterRandom. Largest magnitude 5.8. Equal bit for bit wherever the C library's logarithm, sine and cosine
/// are.
void fill_normal(const RandomKey& key, const ContentRow& row, std::span<float> numbers);

}  // namespace kvarium

#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "core/random.hpp"

namespace kvarium {

/// Every sequence is `context_length` tokens long.
struct EqualLengths {
  std::int64_t context_length = 1024;

  bool operator==(const EqualLengths&) const = default;
};

/// The length of each sequence, [num_sequences] tokens.
struct ListedLengths {
  std::vector<std::int64_t> context_lengths;

  bool operator==(const ListedLengths&) const = default;
};

/// Lengths whose logarithm is uniform: as many sequences of each order of magnitude.
struct LogUniformLengths {
  std::int64_t shortest = 1;    ///< tokens
  std::int64_t longest = 1024;  ///< tokens, included

  bool operator==(const LogUniformLengths&) const = default;
};

using SequenceLengths = std::variant<EqualLengths, ListedLengths, LogUniformLengths>;

/// seq_lens [num_sequences] int32 tokens; random ones are a function of `key` and the sequence.
/// Errors: InputError for a negative length or one past int32, a list of another size than num_sequences, shortest < 1,
/// or longest < shortest.
std::vector<std::int32_t> draw_lengths(const SequenceLengths& lengths, std::int64_t num_sequences,
                                       const RandomKey& key);

}  // namespace kvarium

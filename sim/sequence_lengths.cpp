#include "sim/sequence_lengths.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.hpp"
#include "sim/random_purpose.hpp"

namespace kvarium {
namespace {

constexpr std::int64_t longest_possible = std::numeric_limits<std::int32_t>::max();

std::int32_t checked_length(std::int64_t length) {
  KVARIUM_VALIDATE(length >= 0 && length <= longest_possible, "context_length is ", length, "; use 0 to ",
                   longest_possible, " tokens");
  return static_cast<std::int32_t>(length);
}

std::vector<std::int32_t> log_uniform(const LogUniformLengths& lengths, std::int64_t num_sequences,
                                      const RandomKey& key) {
  KVARIUM_VALIDATE(lengths.shortest >= 1 && lengths.shortest <= lengths.longest, "sequence lengths from ",
                   lengths.shortest, " to ", lengths.longest, " are no range; use 1 <= shortest <= longest");
  checked_length(lengths.longest);
  CounterRandom random = random_for(RandomPurpose::sequence_lengths, key);
  // Rounding down over [shortest, longest + 1) gives every length, both ends too, its fair share.
  const double low = std::log(static_cast<double>(lengths.shortest));
  const double high = std::log(static_cast<double>(lengths.longest) + 1.0);
  std::vector<std::int32_t> drawn;
  for (std::int64_t sequence = 0; sequence < num_sequences; ++sequence) {
    const auto length = static_cast<std::int64_t>(std::exp(low + (high - low) * random.uniform()));
    drawn.push_back(checked_length(std::clamp(length, lengths.shortest, lengths.longest)));
  }
  return drawn;
}

}  // namespace

std::vector<std::int32_t> draw_lengths(const SequenceLengths& lengths, std::int64_t num_sequences,
                                       const RandomKey& key) {
  KVARIUM_VALIDATE(num_sequences >= 0, "num_sequences is ", num_sequences, "; use 0 or more");
  const auto count = static_cast<std::size_t>(num_sequences);
  if (const auto* equal = std::get_if<EqualLengths>(&lengths)) {
    return std::vector<std::int32_t>(count, checked_length(equal->context_length));
  }
  if (const auto* range = std::get_if<LogUniformLengths>(&lengths)) return log_uniform(*range, num_sequences, key);
  const std::vector<std::int64_t>& listed = std::get<ListedLengths>(lengths).context_lengths;
  KVARIUM_VALIDATE(listed.size() == count, listed.size(), " context lengths are listed for ", num_sequences,
                   " sequences; list one for each");
  std::vector<std::int32_t> checked;
  for (const std::int64_t length : listed) checked.push_back(checked_length(length));
  return checked;
}

}  // namespace kvarium

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <cmath>
#include <limits>

#include "core/element_conversion.hpp"
#include "tests/support/decode_run.hpp"

namespace kvarium::test {
namespace {

/// Buffers for one call, filled with NaN.
struct OwnedPartials {
  std::vector<float> sums, maxima, outputs;
  PartialBuffers buffers;

  OwnedPartials(const DecodeCase& item, std::int64_t partitions) {
    const auto rows = static_cast<std::size_t>(item.num_sequences() * item.num_heads() * partitions);
    for (std::vector<float>* values : {&sums, &maxima}) values->assign(rows, std::numeric_limits<float>::quiet_NaN());
    outputs.assign(rows * static_cast<std::size_t>(item.shape.cache.head_size),
                   std::numeric_limits<float>::quiet_NaN());
    buffers = {sums.data(), maxima.data(), outputs.data(), ElementType::float32, partitions};
  }
};

DecodeCase case_of_lengths(std::vector<std::int32_t> lengths) {
  DecodeShape shape = small_shape();
  shape.seq_lens = std::move(lengths);
  return make_decode_case(shape);
}

TEST_CASE("bug 14: partial results stand at [sequence, head, partition], and no others are written",
          "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const DecodeCase item = case_of_lengths({130, 16, 0, 65});
  const DecodeResult expected = run_decode(item, {family, 64, 64});
  constexpr std::int64_t partitions = 3;
  const OwnedPartials partials(item, partitions);
  DecodeResult result = make_result(item);
  PagedAttentionArguments arguments = decode_arguments(item, result);
  arguments.partials = partials.buffers;

  attend(arguments, {family, 64, 64});

  CHECK(result == expected);
  for (std::size_t row = 0; row < partials.sums.size(); ++row) {
    const std::size_t sequence = row / partitions / static_cast<std::size_t>(item.num_heads());
    const bool holds_tokens =
        static_cast<std::int64_t>(row) % partitions < num_partitions(item.shape.seq_lens[sequence], 64);
    CAPTURE(family, row);
    CHECK(std::isnan(partials.sums[row]) != holds_tokens);
    CHECK(std::isnan(partials.maxima[row]) != holds_tokens);
    for (std::size_t e = 0; e < 64; ++e) REQUIRE(std::isnan(partials.outputs[row * 64 + e]) != holds_tokens);
  }
}

TEST_CASE("bug 17: buffers for another number of partitions than the variant's are refused and left alone",
          "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const DecodeCase item = case_of_lengths({130, 16});
  // 130 tokens are 3 partitions of 64, 9 of 16 and 1 of 512.
  for (std::int64_t partitions : {1, 2, 4, 9}) {
    const OwnedPartials partials(item, partitions);
    DecodeResult result = make_result(item);
    PagedAttentionArguments arguments = decode_arguments(item, result);
    arguments.partials = partials.buffers;
    CAPTURE(family, partitions);
    CHECK_THROWS_AS(attend(arguments, {family, 64, 64}), InputError);
    CHECK(result == make_result(item));
    CHECK(std::isnan(partials.sums[0]));
  }
}

TEST_CASE("bug 17: one or two of the three buffers are refused", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const DecodeCase item = case_of_lengths({130, 16});
  const OwnedPartials partials(item, 3);
  for (int missing : {1, 2, 3, 4, 5, 6}) {
    DecodeResult result = make_result(item);
    PagedAttentionArguments arguments = decode_arguments(item, result);
    arguments.partials = partials.buffers;
    if ((missing & 1) != 0) arguments.partials.exp_sums = nullptr;
    if ((missing & 2) != 0) arguments.partials.max_logits = nullptr;
    if ((missing & 4) != 0) arguments.partials.tmp_out = nullptr;
    CHECK_THROWS_AS(attend(arguments, {family, 64, 64}), InputError);
  }
}

TEST_CASE("bug 25: max_logits hold the bias of a partition's newest or oldest token", "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  DecodeCase item = case_of_lengths({130});
  for (std::size_t byte = 0; byte < item.query.size(); ++byte) item.query[byte] = std::byte{0};
  item.alibi_slopes = {0.5F, -0.5F, 0.0F, 0.25F};
  const OwnedPartials partials(item, 3);
  DecodeResult result = make_result(item);
  PagedAttentionArguments arguments = decode_arguments(item, result, {.alibi = true});
  arguments.partials = partials.buffers;

  attend(arguments, {family, 64, 64});

  for (std::size_t head = 0; head < 4; ++head) {
    for (std::size_t partition = 0; partition < 3; ++partition) {
      const float oldest = static_cast<float>(partition) * 64 - 129;
      const float newest = std::min(oldest + 63, 0.0F);
      const float slope = item.alibi_slopes[head];
      CAPTURE(family, head, partition);
      CHECK(partials.maxima[head * 3 + partition] == std::max(slope * oldest, slope * newest));
    }
  }
}

}  // namespace
}  // namespace kvarium::test

#include "tests/support/decode_run.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <optional>

#include "core/element_conversion.hpp"
#include "tests/support/attention_oracle.hpp"

namespace kvarium::test {
namespace {

/// Root mean square of a query's elements; 0 without any.
double query_size(const PagedAttentionArguments& arguments) {
  const AttentionShape& shape = arguments.shape;
  const std::int64_t row = std::int64_t{shape.num_heads} * shape.cache.head_size;
  double squares = 0;
  for (std::int64_t sequence = 0; sequence < shape.num_sequences; ++sequence) {
    for (std::int64_t e = 0; e < row; ++e) {
      const std::int64_t index = sequence * arguments.query_row_stride() + e;
      const auto element = static_cast<double>(load_element(arguments.query, index, shape.query_type));
      squares += element * element;
    }
  }
  return shape.num_sequences == 0 ? 0.0 : std::sqrt(squares / static_cast<double>(shape.num_sequences * row));
}

std::optional<std::string> refusal_of(const PagedAttentionArguments& arguments, const AttentionVariant& variant) {
  return attention_families().at(variant.family).refusal(arguments.shape, variant);
}

void check_refusal(const PagedAttentionArguments& arguments, const DecodeResult& result,
                   const AttentionVariant& variant) {
  const DecodeResult before = result;
  CHECK_THROWS_AS(attend(arguments, variant), InputError);
  CHECK(result == before);
}

}  // namespace

DecodeShape small_shape() {
  DecodeShape shape;
  shape.cache = {CacheLayout::hnd, ElementType::float16, 0, 16, 2, 64};
  shape.query_heads_per_kv_head = 2;
  shape.query_type = ElementType::float16;
  shape.seq_lens = {1, 15, 16, 17, 0, 63, 64, 65, 130};
  return shape;
}

PagedAttentionArguments decode_arguments(const DecodeCase& item, DecodeResult& result, const DecodeOptions& options) {
  PagedAttentionArguments arguments = item.arguments(result.out.data(), result.lse.data());
  if (options.alibi) arguments.alibi_slopes = item.alibi_slopes.data();
  if (options.sinks) arguments.sinks = item.sinks.data();
  if (options.scale != 0) arguments.scale = options.scale;
  arguments.softcap = options.softcap;
  arguments.sliding_window = options.window;
  arguments.cache.key_scale = options.key_scale;
  arguments.cache.value_scale = options.value_scale;
  return arguments;
}

DecodeResult run_decode(const DecodeCase& item, const AttentionVariant& variant, const DecodeOptions& options) {
  DecodeResult result = make_result(item);
  const PagedAttentionArguments arguments = decode_arguments(item, result, options);
  if (const auto reason = refusal_of(arguments, variant)) SKIP(variant.family << " refuses: " << *reason);
  attend(arguments, variant);
  return result;
}

void check_against_oracle(const PagedAttentionArguments& arguments, const DecodeResult& result,
                          const AttentionVariant& variant) {
  if (refusal_of(arguments, variant)) return check_refusal(arguments, result, variant);
  const ElementType type = arguments.shape.query_type;
  const OracleResult oracle = attention_oracle(arguments);

  attend(arguments, variant);

  const WorstRow worst = worst_row(result.out.data(), type, oracle.out, arguments.shape.cache.head_size);
  INFO(variant.family << " partition_size " << variant.partition_size << " block_n " << variant.block_n << " on "
                      << to_string(arguments.shape.cache) << ": " << worst);
  CHECK(worst.error <= tolerance(type));
  // Products cancel, so the error of a float32 logit is relative to the query's size, not to the logit.
  const double absolute = 2e-5 + 1e-6 * query_size(arguments);
  for (std::size_t i = 0; i < result.lse.size(); ++i) {
    const auto lse = static_cast<double>(result.lse[i]);
    INFO("row " << i << ": lse " << lse << " instead of " << oracle.lse[i]);
    CHECK((lse == oracle.lse[i] || std::abs(lse - oracle.lse[i]) <= absolute + 2e-5 * std::abs(oracle.lse[i])));
  }
}

void check_against_oracle(const DecodeCase& item, const AttentionVariant& variant, const DecodeOptions& options) {
  DecodeResult result = make_result(item);
  check_against_oracle(decode_arguments(item, result, options), result, variant);
}

}  // namespace kvarium::test

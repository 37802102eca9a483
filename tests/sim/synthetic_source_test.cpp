#include "sim/contents/synthetic_source.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cmath>

#include "core/check.hpp"

namespace kvarium {
namespace {

SyntheticSettings settings_of(std::int64_t shared_prefix_length = 0) {
  SyntheticSettings settings;
  settings.shape = {.num_layers = 3, .num_kv_heads = 2, .num_heads = 4, .head_size = 64};
  settings.key = {42, 43};
  settings.shared_prefix_length = shared_prefix_length;
  return settings;
}

std::vector<float> keys(const SyntheticSource& source, const TokenRange& range) {
  std::vector<float> key(static_cast<std::size_t>(range.num_tokens * 2 * 64));
  source.fill_key(range, key.data());
  return key;
}

std::vector<float> values(const SyntheticSource& source, const TokenRange& range) {
  std::vector<float> value(static_cast<std::size_t>(range.num_tokens * 2 * 64));
  source.fill_value(range, value.data());
  return value;
}

std::vector<float> queries(const SyntheticSource& source, const TokenRange& range) {
  std::vector<float> query(static_cast<std::size_t>(range.num_tokens * 4 * 64));
  source.fill_query(range, query.data());
  return query;
}

double norm(const std::vector<float>& numbers, std::size_t first, std::size_t count) {
  double squares = 0.0;
  for (std::size_t i = first; i < first + count; ++i) squares += double{numbers[i]} * double{numbers[i]};
  return std::sqrt(squares);
}

/// Fourth moment over the square of the second; 3 for a Gaussian.
double kurtosis(const std::vector<float>& numbers) {
  double second = 0.0;
  double fourth = 0.0;
  for (const float number : numbers) {
    const double square = double{number} * double{number};
    second += square;
    fourth += square * square;
  }
  return fourth * static_cast<double>(numbers.size()) / (second * second);
}

/// Share of the attention of a query head on the first `num_first` of the keys, by plain softmax.
double mass_on_first(const std::vector<float>& query, std::size_t head, const std::vector<float>& key,
                     std::size_t num_first) {
  const std::size_t kv_head = head / 2;
  double first = 0.0;
  double all = 0.0;
  for (std::size_t token = 0; token < key.size() / 128; ++token) {
    double product = 0.0;
    for (std::size_t i = 0; i < 64; ++i) product += double{query[head * 64 + i]} * key[token * 128 + kv_head * 64 + i];
    const double weight = std::exp(product / 8.0);
    all += weight;
    if (token < num_first) first += weight;
  }
  return first / all;
}

TEST_CASE("synthetic contents do not depend on the order or grouping of fills", "[sim][contents]") {
  const SyntheticSource source(settings_of());
  const SyntheticSource again(settings_of());
  const std::vector<float> whole = keys(source, {1, 2, 0, 20});

  const std::vector<float> tail = keys(again, {1, 2, 13, 7});
  const std::vector<float> head = keys(again, {1, 2, 0, 13});

  CHECK(std::equal(head.begin(), head.end(), whole.begin()));
  CHECK(std::equal(tail.begin(), tail.end(), whole.begin() + 13 * 128));
}

TEST_CASE("synthetic contents differ between layers, sequences, tokens, parts and seeds", "[sim][contents]") {
  const SyntheticSource source(settings_of());
  SyntheticSettings other_seed = settings_of();
  other_seed.key.seed = 1;
  const std::vector<float> key = keys(source, {0, 0, 100, 1});

  CHECK(key != keys(source, {1, 0, 100, 1}));
  CHECK(key != keys(source, {0, 1, 100, 1}));
  CHECK(key != keys(source, {0, 0, 101, 1}));
  CHECK(key != values(source, {0, 0, 100, 1}));
  CHECK(key != keys(SyntheticSource(other_seed), {0, 0, 100, 1}));
}

TEST_CASE("sequences have equal contents in the shared prefix only", "[sim][contents]") {
  const SyntheticSource source(settings_of(10));

  CHECK(keys(source, {0, 0, 0, 10}) == keys(source, {0, 7, 0, 10}));
  CHECK(values(source, {0, 0, 0, 10}) == values(source, {0, 7, 0, 10}));
  CHECK(queries(source, {0, 0, 9, 1}) == queries(source, {0, 7, 9, 1}));
  CHECK(keys(source, {0, 0, 10, 1}) != keys(source, {0, 7, 10, 1}));
}

TEST_CASE("keys have a few fixed channels of large magnitude and values have none", "[sim][contents]") {
  const SyntheticSource source(settings_of());
  const std::vector<float> key = keys(source, {0, 0, 4, 2000});
  const std::vector<float> value = values(source, {0, 0, 4, 2000});
  const float scale = source.profile(0).scale;

  for (std::size_t kv_head = 0; kv_head < 2; ++kv_head) {
    int outliers = 0;
    for (std::size_t channel = 0; channel < 64; ++channel) {
      double mean = 0.0;
      for (std::size_t token = 0; token < 2000; ++token) mean += key[token * 128 + kv_head * 64 + channel] / 2000.0;
      const bool is_outlier = source.profile(0).heads[kv_head].is_outlier(channel);
      outliers += is_outlier ? 1 : 0;
      CHECK((std::abs(mean / scale) > 7.0) == is_outlier);
    }
    CHECK(outliers == 2);
  }
  CHECK(kurtosis(key) > 8.0);
  CHECK(std::abs(kurtosis(value) - 3.0) < 0.1);
}

TEST_CASE("values away from sinks are Gaussian with the layer's scale", "[sim][contents]") {
  const auto layer = GENERATE(std::int64_t{0}, std::int64_t{1}, std::int64_t{2});
  CAPTURE(layer);
  const SyntheticSource source(settings_of());
  const std::vector<float> value = values(source, {layer, 0, 4, 2000});
  const double scale = source.profile(layer).scale;

  double mean = 0.0;
  for (const float number : value) mean += number / scale / static_cast<double>(value.size());
  const double deviation = norm(value, 0, value.size()) / scale / std::sqrt(static_cast<double>(value.size()));

  CHECK(std::abs(mean) < 0.01);
  CHECK(std::abs(deviation - 1.0) < 0.01);
  CHECK(scale >= 0.5);
  CHECK(scale <= 2.0);
}

TEST_CASE("the first four tokens draw most of the attention, and fewer of it in longer contexts", "[sim][contents]") {
  const SyntheticSource source(settings_of());
  const auto layer = GENERATE(std::int64_t{0}, std::int64_t{1}, std::int64_t{2});
  CAPTURE(layer);
  const std::vector<float> query = queries(source, {layer, 0, 4095, 1});
  const std::vector<float> key = keys(source, {layer, 0, 0, 4096});
  const std::vector<float> short_key(key.begin(), key.begin() + 256 * 128);

  for (std::size_t head = 0; head < 4; ++head) {
    CAPTURE(head);
    const double mass = mass_on_first(query, head, key, 4);
    CHECK(mass > 0.5);
    CHECK(mass < 0.99);
    CHECK(mass_on_first(query, head, short_key, 4) > mass);
  }
}

TEST_CASE("sinks have keys and values of small norm", "[sim][contents]") {
  const SyntheticSource source(settings_of());
  const std::vector<float> key = keys(source, {0, 0, 0, 8});
  const std::vector<float> value = values(source, {0, 0, 0, 8});

  for (std::size_t sink = 0; sink < 4; ++sink) {
    for (std::size_t token = 4; token < 8; ++token) {
      CHECK(norm(key, sink * 128, 64) < 0.6 * norm(key, token * 128, 64));
      CHECK(norm(value, sink * 128, 64) < 0.1 * norm(value, token * 128, 64));
    }
  }
}

TEST_CASE("no sinks and no outliers leave plain Gaussian keys", "[sim][contents]") {
  SyntheticSettings settings = settings_of();
  settings.num_sinks = 0;
  settings.outlier_share = 0.0;
  const SyntheticSource source(settings);

  const std::vector<float> key = keys(source, {0, 0, 0, 2000});

  CHECK(std::abs(kurtosis(key) - 3.0) < 0.1);
  CHECK(mass_on_first(queries(source, {0, 0, 1999, 1}), 0, key, 4) < 0.2);
}

TEST_CASE("synthetic settings out of range are refused", "[sim][contents]") {
  SyntheticSettings settings = settings_of();

  SECTION("heads that do not divide") { settings.shape.num_heads = 5; }
  SECTION("no layer") { settings.shape.num_layers = 0; }
  SECTION("more outliers than half the channels") { settings.outlier_share = 0.6; }
  SECTION("a negative prefix") { settings.shared_prefix_length = -1; }
  SECTION("a layer scale below one") { settings.layer_scale_range = 0.5; }

  CHECK_THROWS_AS(SyntheticSource(settings), InputError);
}

}  // namespace
}  // namespace kvarium

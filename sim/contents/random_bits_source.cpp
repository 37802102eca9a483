#include "sim/contents/random_bits_source.hpp"

#include <cmath>

#include "core/element_conversion.hpp"
#include "sim/faults/element_field.hpp"
#include "sim/random_purpose.hpp"

namespace kvarium {
namespace {

enum class FilledTensor : std::uint64_t { key, value, query };

/// Numbers of one token in one layer, [heads, head_size].
CounterRandom token_random(const RandomKey& key, const TokenRange& range, std::int64_t token, FilledTensor tensor) {
  // Layers, sequences and tokens stay apart: each has its own bits of the counter.
  const auto place = static_cast<std::uint64_t>(range.layer) << 44 | static_cast<std::uint64_t>(range.sequence) << 32;
  const std::uint64_t trial =
      (place + static_cast<std::uint64_t>(range.first_token + token)) * 3 + static_cast<std::uint64_t>(tensor);
  return random_for(RandomPurpose::content_bits, key, trial);
}

/// The number that an element of random bits stands for.
float finite_number(CounterRandom& random, ElementType type) {
  const auto bits = static_cast<std::uint32_t>(random() >> (64 - 8 * element_bytes(type)));
  const float number = decode_element(bits, type);
  if (std::isfinite(number)) return number;
  return decode_element(bits & ~(1U << field_bits(type, ElementField::exponent).first), type);
}

}  // namespace

RandomBitsSource::RandomBitsSource(const ContentShape& shape, ElementType type, const RandomKey& key)
    : shape_(shape), type_(type), key_(key) {
  validate(shape);
}

void RandomBitsSource::fill_key(const TokenRange& range, float* key) const {
  const std::int64_t row = std::int64_t{shape_.num_kv_heads} * shape_.head_size;
  for (std::int64_t token = 0; token < range.num_tokens; ++token) {
    CounterRandom random = token_random(key_, range, token, FilledTensor::key);
    for (std::int64_t i = 0; i < row; ++i) *key++ = finite_number(random, type_);
  }
}

void RandomBitsSource::fill_value(const TokenRange& range, float* value) const {
  const std::int64_t row = std::int64_t{shape_.num_kv_heads} * shape_.head_size;
  for (std::int64_t token = 0; token < range.num_tokens; ++token) {
    CounterRandom random = token_random(key_, range, token, FilledTensor::value);
    for (std::int64_t i = 0; i < row; ++i) *value++ = finite_number(random, type_);
  }
}

void RandomBitsSource::fill_query(const TokenRange& range, float* query) const {
  const std::int64_t row = std::int64_t{shape_.num_heads} * shape_.head_size;
  for (std::int64_t token = 0; token < range.num_tokens; ++token) {
    CounterRandom random = token_random(key_, range, token, FilledTensor::query);
    for (std::int64_t i = 0; i < row; ++i) *query++ = static_cast<float>(2 * random.uniform() - 1);
  }
}

}  // namespace kvarium

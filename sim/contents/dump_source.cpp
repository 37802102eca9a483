#include "sim/contents/dump_source.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/check.hpp"

namespace kvarium {
namespace {

/// The number nearest below 0.618 * num_tokens that shares no factor with it: multiples of the golden section spread
/// evenly.
std::int64_t choose_step(std::int64_t num_tokens) {
  std::int64_t step = std::max<std::int64_t>(num_tokens * 618 / 1000, 1);
  while (std::gcd(step, num_tokens) != 1) --step;
  return step;
}

}  // namespace

DumpSource::DumpSource(ModelDump dump, std::int64_t shared_prefix_length)
    : dump_(std::move(dump)), shared_prefix_length_(shared_prefix_length) {
  validate(dump_);
  KVARIUM_VALIDATE(shared_prefix_length >= 0, "shared_prefix_length is ", shared_prefix_length,
                   "; use 0 tokens or more");
  step_ = choose_step(dump_.num_tokens);
}

ContentShape DumpSource::shape() const {
  return {dump_.num_layers, dump_.num_kv_heads, dump_.num_heads, dump_.head_size};
}

std::int64_t DumpSource::dump_token(std::int64_t sequence, std::int64_t token) const {
  const std::int64_t n = dump_.num_tokens;
  const std::int64_t offset = token < shared_prefix_length_ ? 0 : (sequence % n) * step_ % n;
  return (offset + token % n) % n;
}

void DumpSource::fill(const TokenRange& range, const std::vector<float>& rows, int heads, float* out) const {
  KVARIUM_EXPECT(range.layer >= 0 && range.layer < dump_.num_layers);
  KVARIUM_EXPECT(range.sequence >= 0 && range.first_token >= 0 && range.num_tokens >= 0);
  const std::int64_t row_size = std::int64_t{heads} * dump_.head_size;
  for (std::int64_t i = 0; i < range.num_tokens; ++i) {
    const std::int64_t row = range.layer * dump_.num_tokens + dump_token(range.sequence, range.first_token + i);
    std::copy_n(rows.begin() + row * row_size, row_size, out + i * row_size);
  }
}

void DumpSource::fill_key(const TokenRange& range, float* key) const {
  fill(range, dump_.key, dump_.num_kv_heads, key);
}

void DumpSource::fill_value(const TokenRange& range, float* value) const {
  fill(range, dump_.value, dump_.num_kv_heads, value);
}

void DumpSource::fill_query(const TokenRange& range, float* query) const {
  fill(range, dump_.query, dump_.num_heads, query);
}

}  // namespace kvarium

#include "sim/contents/synthetic_source.hpp"

#include <cmath>
#include <span>

#include "core/check.hpp"
#include "sim/contents/normal_numbers.hpp"

namespace kvarium {
namespace {

/// Spread of an outlier channel around its offset, as a share of the offset.
constexpr float outlier_spread = 0.25F;
/// Queries are small where keys are large, so that outliers do not rule the logits.
constexpr float outlier_query_scale = 0.25F;
/// Noise of sink keys, in standard deviations of ordinary keys: sinks of two sequences are alike, not equal.
constexpr float sink_noise = 0.1F;

void remove_component(std::span<float> row, std::span<const float> unit) {
  float component = 0.0F;
  for (std::size_t i = 0; i < row.size(); ++i) component += row[i] * unit[i];
  for (std::size_t i = 0; i < row.size(); ++i) row[i] -= component * unit[i];
}

void add_component(std::span<float> row, std::span<const float> unit, float component) {
  for (std::size_t i = 0; i < row.size(); ++i) row[i] += component * unit[i];
}

void scale_row(std::span<float> row, float factor) {
  for (float& number : row) number *= factor;
}

/// What sinks share in one head size: a key's part along the sink direction and a query's.
struct SinkComponents {
  float key = 0.0F;
  float query = 0.0F;
};

/// key * query / sqrt(head_size) is the sink's logit.
SinkComponents sink_components(const SyntheticSettings& settings, std::int64_t sink) {
  const double root = std::sqrt(static_cast<double>(settings.shape.head_size));
  const double first_key = settings.sink_key_norm * root;
  const double query = settings.sink_logit * root / first_key;
  const double logit = settings.sink_logit - static_cast<double>(sink);
  return {static_cast<float>(logit * root / query), static_cast<float>(query)};
}

/// Turns normal numbers [head_size] into an ordinary key: outliers, and nothing along the sink direction.
void shape_ordinary_key(std::span<float> row, const HeadProfile& head) {
  remove_component(row, head.sink_direction);
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (head.is_outlier(i)) row[i] = head.key_offset[i] * (1.0F + outlier_spread * row[i]);
  }
}

void shape_sink_key(std::span<float> row, const HeadProfile& head, float component) {
  remove_component(row, head.sink_direction);
  scale_row(row, sink_noise);
  add_component(row, head.sink_direction, component);
}

void shape_query(std::span<float> row, const HeadProfile& head, float component) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (head.is_outlier(i)) row[i] *= outlier_query_scale;
  }
  remove_component(row, head.sink_direction);
  add_component(row, head.sink_direction, component);
}

void validate_range(const TokenRange& range, std::int64_t num_layers) {
  KVARIUM_EXPECT(range.layer >= 0 && range.layer < num_layers);
  KVARIUM_EXPECT(range.sequence >= 0 && range.first_token >= 0 && range.num_tokens >= 0);
}

/// Calls `shape_row(token, row)` for each token's row [row_size], filled with normal numbers.
template <class ShapeRow>
void fill_rows(const SyntheticSettings& settings, ContentPart part, const TokenRange& range, std::span<float> rows,
               ShapeRow shape_row) {
  validate_range(range, settings.shape.num_layers);
  if (range.num_tokens == 0) return;
  const std::size_t row_size = rows.size() / static_cast<std::size_t>(range.num_tokens);
  for (std::int64_t i = 0; i < range.num_tokens; ++i) {
    const std::int64_t token = range.first_token + i;
    const std::int64_t owner = token < settings.shared_prefix_length ? 0 : range.sequence + 1;
    const std::span<float> row = rows.subspan(static_cast<std::size_t>(i) * row_size, row_size);
    fill_normal(settings.key, {part, range.layer, owner, token}, row);
    shape_row(token, row);
  }
}

std::span<float> rows_of(float* data, const TokenRange& range, int heads, int head_size) {
  return {data, static_cast<std::size_t>(range.num_tokens) * static_cast<std::size_t>(heads) *
                    static_cast<std::size_t>(head_size)};
}

}  // namespace

SyntheticSource::SyntheticSource(const SyntheticSettings& settings) : settings_(settings) {
  validate(settings);
  for (std::int64_t layer = 0; layer < settings.shape.num_layers; ++layer) {
    profiles_.push_back(draw_profile(settings, layer));
  }
}

void SyntheticSource::fill_key(const TokenRange& range, float* key) const {
  const auto size = static_cast<std::size_t>(settings_.shape.head_size);
  const std::span<float> rows = rows_of(key, range, settings_.shape.num_kv_heads, settings_.shape.head_size);
  fill_rows(settings_, ContentPart::key, range, rows, [&](std::int64_t token, std::span<float> row) {
    const LayerProfile& layer = profile(range.layer);
    for (std::size_t head = 0; head < layer.heads.size(); ++head) {
      const std::span<float> cell = row.subspan(head * size, size);
      if (token < settings_.num_sinks) {
        shape_sink_key(cell, layer.heads[head], sink_components(settings_, token).key);
      } else {
        shape_ordinary_key(cell, layer.heads[head]);
      }
    }
    scale_row(row, layer.scale);
  });
}

void SyntheticSource::fill_value(const TokenRange& range, float* value) const {
  const std::span<float> rows = rows_of(value, range, settings_.shape.num_kv_heads, settings_.shape.head_size);
  fill_rows(settings_, ContentPart::value, range, rows, [&](std::int64_t token, std::span<float> row) {
    const bool is_sink = token < settings_.num_sinks;
    scale_row(row, profile(range.layer).scale * (is_sink ? static_cast<float>(settings_.sink_value_scale) : 1.0F));
  });
}

void SyntheticSource::fill_query(const TokenRange& range, float* query) const {
  const auto size = static_cast<std::size_t>(settings_.shape.head_size);
  const auto group = static_cast<std::size_t>(settings_.shape.num_heads / settings_.shape.num_kv_heads);
  const float component = settings_.num_sinks > 0 ? sink_components(settings_, 0).query : 0.0F;
  const std::span<float> rows = rows_of(query, range, settings_.shape.num_heads, settings_.shape.head_size);
  fill_rows(settings_, ContentPart::query, range, rows, [&](std::int64_t, std::span<float> row) {
    const LayerProfile& layer = profile(range.layer);
    for (std::size_t head = 0; head < layer.heads.size() * group; ++head) {
      shape_query(row.subspan(head * size, size), layer.heads[head / group], component);
    }
    scale_row(row, 1.0F / layer.scale);
  });
}

}  // namespace kvarium

#pragma once

#include "core/element_type.hpp"
#include "core/random.hpp"
#include "sim/contents/kv_content_source.hpp"

namespace kvarium {

/// Elements whose bits are independent and uniform, but for the exponent of infinities and NaN, whose lowest bit is
/// cleared: contents that favour no bit lane, for what checksums see. Queries are uniform in [-1, 1). A number is a
/// function of (key, layer, sequence, token, channel). Safe to fill from many threads.
class RandomBitsSource final : public KvContentSource {
 public:
  /// `type` is that of the stored elements; fp8 elements keep their bits with scales that are powers of two.
  RandomBitsSource(const ContentShape& shape, ElementType type, const RandomKey& key);

  ContentShape shape() const override { return shape_; }
  void fill_key(const TokenRange& range, float* key) const override;
  void fill_value(const TokenRange& range, float* value) const override;
  void fill_query(const TokenRange& range, float* query) const override;

 private:
  ContentShape shape_;
  ElementType type_;
  RandomKey key_;
};

}  // namespace kvarium

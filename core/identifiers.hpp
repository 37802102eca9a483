#pragma once

#include <compare>
#include <cstdint>
#include <functional>

#include "core/check.hpp"

namespace kvarium {

/// An index that mixes with no other kind of index; the default state is invalid.
/// Any negative value is invalid too, as in block tables and slot mappings.
template <class Tag, class Value>
class Identifier {
 public:
  using value_type = Value;

  constexpr Identifier() = default;
  constexpr explicit Identifier(Value value) : value_(value) {}

  constexpr bool is_valid() const { return value_ >= 0; }
  constexpr explicit operator bool() const { return is_valid(); }
  constexpr Value value() const { return value_; }

  friend constexpr auto operator<=>(Identifier, Identifier) = default;

 private:
  Value value_ = -1;
};

/// Physical KV block of a cache.
using BlockId = Identifier<struct BlockTag, std::int32_t>;
/// Position of a block in its request.
using LogicalBlockId = Identifier<struct LogicalBlockTag, std::int32_t>;
/// slot = block * block_size + offset; -1 is padding.
using SlotId = Identifier<struct SlotTag, std::int64_t>;
using KvHeadId = Identifier<struct KvHeadTag, std::int32_t>;
using LayerId = Identifier<struct LayerTag, std::int32_t>;
using SequenceId = Identifier<struct SequenceTag, std::int32_t>;
/// Request in a workload, independent of the batch row it runs in.
using RequestId = Identifier<struct RequestTag, std::int64_t>;

}  // namespace kvarium

template <class Tag, class Value>
struct std::hash<kvarium::Identifier<Tag, Value>> {
  std::size_t operator()(kvarium::Identifier<Tag, Value> id) const noexcept {
    return std::hash<Value>{}(id.value());
  }
};

#pragma once

namespace kvarium {

using int32 = int;
using int64 = long long;
using uint8 = unsigned char;
using uint16 = unsigned short;
using uint32 = unsigned int;
using uint64 = unsigned long long;

// Enumerators as in core/element_type.hpp, core/cache_layout.hpp and checksums/slice_checksum.hpp; they cross by name,
// so their order is free.
enum class ElementType : uint8 { float32, float16, bfloat16, float8_e4m3, float8_e5m2 };
enum class CacheLayout : uint8 { split_x, nhd, hnd, packed };
enum class SliceChecksum : uint8 { none, weighted_sum, mixed_sum };

/// Bytes of one stored element.
constexpr int element_bytes(ElementType type) {
  return type == ElementType::float32 ? 4 : type == ElementType::float16 || type == ElementType::bfloat16 ? 2 : 1;
}

/// Whether elements are of 8 bits, and carry a scale.
constexpr bool is_float8(ElementType type) { return element_bytes(type) == 1; }

/// Elements that lie side by side in a 16-byte group of the split_x key layout.
constexpr int split_group_size(ElementType type) { return 16 / element_bytes(type); }

/// Of float32; NVRTC has no <limits>.
constexpr float infinity = __builtin_bit_cast(float, 0x7F800000);

/// One of two types; NVRTC has no <type_traits>.
template <bool is_first, class First, class Second>
struct Selection {
  using Type = First;
};
template <class First, class Second>
struct Selection<false, First, Second> {
  using Type = Second;
};
template <bool is_first, class First, class Second>
using Selected = typename Selection<is_first, First, Second>::Type;

/// The smaller of two numbers; `right` where one is NaN.
template <class Number>
constexpr Number smaller(Number left, Number right) {
  return left < right ? left : right;
}

/// The larger of two numbers; `left` where one is NaN.
template <class Number>
constexpr Number larger(Number left, Number right) {
  return left < right ? right : left;
}

}  // namespace kvarium

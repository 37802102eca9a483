#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "kernels/cache/cache_operations.hpp"
#include "tests/support/decode_run.hpp"

namespace kvarium::test {
namespace {

/// Strides of a tensor whose tokens (nhd, hnd, packed) or groups of elements (split_x) lie `gap` elements farther apart
/// than they must.
CacheStrides with_gaps(const CacheGeometry& geometry, CacheStrides strides, std::int64_t gap) {
  switch (geometry.layout) {
    case CacheLayout::split_x:
      strides.group += gap;
      strides.kv_head = strides.group * (geometry.head_size / strides.group_size);
      break;
    case CacheLayout::nhd:
      strides.token += gap;
      strides.block = strides.token * geometry.block_size;
      return strides;
    default:
      strides.token += gap;
      strides.kv_head = strides.token * geometry.block_size;
  }
  strides.block = strides.kv_head * geometry.num_kv_heads;
  return strides;
}

/// A cache's cells moved into tensors with gaps, which hold NaN.
struct SpreadCache {
  std::vector<std::byte> key, value;
  PagedCacheView view;

  SpreadCache(const PagedCacheView& dense, std::int64_t gap) : view(dense) {
    const CacheGeometry& geometry = dense.geometry;
    const std::int64_t element = element_bytes(geometry.element_type);
    view.key.strides = with_gaps(geometry, dense.key.strides, gap);
    view.value.strides = with_gaps(geometry, dense.value.strides, gap);
    view.key.data = place(key, geometry.num_blocks * view.key.strides.block * element);
    if (geometry.layout == CacheLayout::packed) {
      view.value.data = view.key.data + geometry.head_size * element;
    } else {
      view.value.data = place(value, geometry.num_blocks * view.value.strides.block * element);
    }
    convert_layout(dense, view);
  }

 private:
  /// Memory for a tensor, from a multiple of 256 bytes on.
  static std::byte* place(std::vector<std::byte>& memory, std::int64_t bytes) {
    constexpr std::size_t alignment = 256;
    memory.assign(static_cast<std::size_t>(bytes) + alignment, std::byte{0xFF});
    const std::size_t past = reinterpret_cast<std::uintptr_t>(memory.data()) % alignment;
    return memory.data() + (alignment - past) % alignment;
  }
};

TEST_CASE("caches with gaps of whole 16-byte pieces between tokens or groups are read as they are",
          "[kernels][contract]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  for (ElementType type : {ElementType::float16, ElementType::float8_e4m3}) {
    DecodeShape shape = small_shape();
    shape.cache.layout = layout;
    shape.cache.element_type = type;
    const DecodeCase item = make_decode_case(shape);
    for (int block_n : {16, 64}) {
      const AttentionVariant variant{family, 64, block_n};
      const DecodeResult expected = run_decode(item, variant);
      DecodeResult result = make_result(item);
      PagedAttentionArguments arguments = decode_arguments(item, result);
      const SpreadCache spread(arguments.cache, 16);
      arguments.cache = spread.view;
      attend(arguments, variant);
      CAPTURE(family, to_string(item.cache.geometry()), block_n);
      CHECK(result == expected);
    }
  }
}

}  // namespace
}  // namespace kvarium::test

#include "python/bindings/cache_arrays.hpp"

#include <utility>

namespace kvarium::python {
namespace {

/// Which axis of an array counts KV heads and which tokens.
struct RowAxes {
  int kv_head = 1;
  int token = 2;
};

/// Strides of a tensor whose last axis runs over the elements of a token.
CacheStrides row_strides(const Array& array, const CacheGeometry& geometry) {
  const RowAxes axes = geometry.layout == CacheLayout::nhd ? RowAxes{2, 1} : RowAxes{};
  CacheStrides strides;
  strides.block = element_stride(array, 0);
  strides.kv_head = element_stride(array, axes.kv_head);
  strides.token = element_stride(array, axes.token);
  strides.group_size = geometry.head_size;
  return strides;
}

CacheStrides split_strides(const Array& array, int group_size) {
  CacheStrides strides;
  strides.block = element_stride(array, 0);
  strides.kv_head = element_stride(array, 1);
  strides.group = element_stride(array, 2);
  strides.token = element_stride(array, 3);
  strides.group_size = group_size;
  return strides;
}

}  // namespace

CacheArrays view_cache_arrays(CacheGeometry geometry, Array key, OptionalArray value, const CacheScales& scales) {
  geometry.num_blocks = key.shape(0);
  validate(geometry);
  PagedCacheView view;
  view.geometry = geometry;
  view.key_scale = scales.key;
  view.value_scale = scales.value;
  view.key.data = address<std::byte>(key);
  if (geometry.layout == CacheLayout::split_x) {
    view.key.strides = split_strides(key, split_group_size(geometry.element_type));
    view.value = {address<std::byte>(value), split_strides(*value, 1)};
  } else if (geometry.layout == CacheLayout::packed) {
    view.key.strides = row_strides(key, geometry);
    view.value = {view.key.data + geometry.head_size * element_bytes(geometry.element_type), view.key.strides};
  } else {
    view.key.strides = row_strides(key, geometry);
    view.value = {address<std::byte>(value), row_strides(*value, geometry)};
  }
  return {std::move(key), std::move(value), view};
}

}  // namespace kvarium::python

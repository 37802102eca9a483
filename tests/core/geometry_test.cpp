#include <catch2/catch_test_macros.hpp>

#include "core/check.hpp"
#include "core/identifiers.hpp"
#include "core/paged_kv_cache.hpp"
#include "core/registry.hpp"
#include "core/softmax_state.hpp"

namespace kvarium::test {
namespace {

CacheGeometry geometry_of(CacheLayout layout) { return {layout, ElementType::float16, 4, 8, 2, 16}; }

TEST_CASE("the layouts put elements where their published shapes say", "[core]") {
  // Element of block 3, head 1, token 5, element 11; counted by hand from the shapes.
  const auto key = [](CacheLayout layout) { return key_strides(geometry_of(layout)).offset(3, 1, 5, 11); };
  const auto value = [](CacheLayout layout) { return value_strides(geometry_of(layout)).offset(3, 1, 5, 11); };
  CHECK(key(CacheLayout::nhd) == ((3 * 8 + 5) * 2 + 1) * 16 + 11);
  CHECK(value(CacheLayout::nhd) == key(CacheLayout::nhd));
  CHECK(key(CacheLayout::hnd) == ((3 * 2 + 1) * 8 + 5) * 16 + 11);
  CHECK(key(CacheLayout::packed) == ((3 * 2 + 1) * 8 + 5) * 32 + 11);
  CHECK(key(CacheLayout::split_x) == (((3 * 2 + 1) * 2 + 1) * 8 + 5) * 8 + 3);
  CHECK(value(CacheLayout::split_x) == ((3 * 2 + 1) * 16 + 11) * 8 + 5);
}

TEST_CASE("Kokkos views and raw strides reach the same element", "[core]") {
  for (CacheLayout layout : {CacheLayout::split_x, CacheLayout::nhd, CacheLayout::hnd, CacheLayout::packed}) {
    const PagedKvCache cache(geometry_of(layout));
    const auto view = cache.value_view<std::uint16_t>();
    const CacheTensor tensor = cache.view().value;
    const int group = tensor.strides.group_size;
    auto* elements = reinterpret_cast<std::uint16_t*>(tensor.data);
    CHECK(&view(3, 1, static_cast<std::size_t>(11 / group), 5, static_cast<std::size_t>(11 % group)) ==
          elements + tensor.strides.offset(3, 1, 5, 11));
    CHECK(rank_of<decltype(view)>() == 5);
  }
}

TEST_CASE("unsupported geometries are refused with what is allowed", "[core]") {
  CacheGeometry geometry = geometry_of(CacheLayout::split_x);
  CHECK_NOTHROW(validate(geometry));
  geometry.head_size = 12;
  CHECK_THROWS_AS(validate(geometry), InputError);
  geometry.head_size = 264;
  CHECK_THROWS_AS(validate(geometry), InputError);
  geometry = {CacheLayout::split_x, ElementType::float8_e4m3, 1, 16, 1, 24};
  CHECK_THROWS_AS(validate(geometry), InputError);
  geometry.layout = CacheLayout::hnd;
  CHECK_NOTHROW(validate(geometry));
  geometry.block_size = 24;
  CHECK_THROWS_AS(validate(geometry), InputError);
}

TEST_CASE("a registry refuses empty and duplicate names and lists the known ones", "[core]") {
  Registry<int> registry("number");
  registry.add("one", std::make_unique<int>(1));
  CHECK_THROWS_AS(registry.add("", std::make_unique<int>(0)), InputError);
  CHECK_THROWS_AS(registry.add("one", std::make_unique<int>(1)), InputError);
  try {
    registry.at("two");
    FAIL("found a number nobody registered");
  } catch (const InputError& error) {
    CHECK(std::string(error.what()).find("one") != std::string::npos);
  }
}

TEST_CASE("identifiers are invalid by default and compare by value", "[core]") {
  CHECK(!BlockId().is_valid());
  CHECK(BlockId(3) == BlockId(3));
  CHECK(BlockId(3) < BlockId(4));
}

TEST_CASE("softmax states merge with the empty state as neutral element", "[core]") {
  const SoftmaxState<double> empty, some{2.0, 3.0};
  CHECK(merge(empty, empty).is_empty());
  CHECK(merge(empty, some).log_sum_exp() == some.log_sum_exp());
  CHECK(std::isinf(empty.log_sum_exp()));
  CHECK(merge(some, some).sum == 6.0);
}

}  // namespace
}  // namespace kvarium::test

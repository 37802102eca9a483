#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers_quantifiers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "kernels/checksums/checksum_family.hpp"
#include "kernels/memory/memory_reader.hpp"
#include "tests/support/decode_run.hpp"
#include "tests/support/kokkos_events.hpp"

namespace kvarium::test {
namespace {

using Catch::Matchers::AllMatch;
using Catch::Matchers::StartsWith;
using Labels = std::vector<std::string>;

/// Labels that this project gives.
bool is_ours(const std::string& label) { return label.starts_with("kvarium::"); }

TEST_CASE("a launch without a label is seen as such", "[kernels][labels]") {
  const KokkosEvents events;
  Kokkos::parallel_for(Kokkos::RangePolicy<HostExecution>(0, 1), [](int) {});
  REQUIRE(events.kernels().size() == 1);
  CHECK(!is_ours(events.kernels()[0]));
}

TEST_CASE("every launch and view of an attention family has a label that names it ours", "[kernels][labels]") {
  const std::string family = GENERATE(from_range(runnable_families()));
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  DecodeShape shape = small_shape();
  shape.cache.layout = layout;
  const DecodeCase item = make_decode_case(shape);
  const KokkosEvents events;

  run_decode(item, {family, 64, 16}, {.alibi = true, .sinks = true, .softcap = 2, .window = 33});

  CHECK_THAT(events.kernels(), AllMatch(StartsWith("kvarium::")));
  // The table of a Kokkos::UniqueToken is Kokkos' own.
  Labels views = events.allocations();
  std::erase_if(views, [](const std::string& label) { return label.find("UniqueToken") != std::string::npos; });
  CHECK_THAT(views, AllMatch(StartsWith("kvarium::")));
  if (family == "host")
    CHECK(events.kernels() == Labels{"kvarium::host_attention::partitions", "kvarium::host_attention::reduce"});
}

TEST_CASE("every launch of a checksum has a label that names it ours", "[kernels][labels]") {
  const std::string family = GENERATE(from_range(checksum_families().names()));
  const std::string implementation = GENERATE(from_range(layers_checksum_families().names()));
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  DecodeShape shape = small_shape();
  shape.cache.layout = layout;
  const DecodeCase item = make_decode_case(shape);
  const std::vector<std::int64_t> block{0}, first{0}, valid{16};
  const KokkosEvents events;

  checksum_families().at(family).compute({{item.cache.view(), 0, 0}}, {block.data(), first.data(), valid.data(), 1},
                                         {8, implementation});

  CHECK_THAT(events.kernels(), AllMatch(StartsWith("kvarium::")));
  CHECK_THAT(events.allocations(), AllMatch(StartsWith("kvarium::")));
}

TEST_CASE("every memory reader, and a cache that is made or copied, launches under a label of ours",
          "[kernels][labels]") {
  const std::string reader = GENERATE(from_range(memory_readers().names()));
  const KokkosEvents events;

  const PagedKvCache cache({CacheLayout::hnd, ElementType::float16, 4, 16, 2, 64}), copy = deep_copy(cache);
  [[maybe_unused]] volatile std::uint64_t kept =
      memory_readers().at(reader).read(copy.storage().data(), copy.size_bytes());

  CHECK(std::count(events.kernels().begin(), events.kernels().end(), "kvarium::zeroed_bytes") == 2);
  CHECK(events.kernels().back() != "kvarium::zeroed_bytes");
  CHECK_THAT(events.kernels(), AllMatch(StartsWith("kvarium::")));
  CHECK(events.allocations() == Labels(2, "kvarium::PagedKvCache::storage"));
}

}  // namespace
}  // namespace kvarium::test

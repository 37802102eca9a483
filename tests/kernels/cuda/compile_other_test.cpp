#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <iostream>

#include "core/check.hpp"
#include "kernels/attention/device_merge_states.hpp"
#include "kernels/cache/cuda/copy_launch.hpp"
#include "kernels/cache/slice_records.hpp"
#include "kernels/checksums/cuda/zero_sums_launch.hpp"
#include "kernels/checksums/device_checksum.hpp"
#include "kernels/cuda/architecture.hpp"
#include "kernels/cuda/compiler.hpp"
#include "kernels/cuda/nvrtc_library.hpp"
#include "kernels/memory/device_reader.hpp"
#include "tests/support/decode_run.hpp"

namespace kvarium::test {
namespace {

/// Compiles a source; the number of its kernels that spill registers.
int spilling_kernels(const KernelSource& source, const std::string& architecture) {
  int spilling = 0;
  const auto compiled = compile(source, parse_architecture(architecture));
  CAPTURE(compiled->log);
  CHECK(compiled->log.find("warning") == std::string::npos);
  for (const auto& [name, usage] : compiled->usage) {
    if (usage.spill_store_bytes == 0) continue;
    ++spilling;
    std::cout << name << " spills for " << architecture << " with\n" << source.constants.header();
  }
  return spilling;
}

/// One tensor of zeros' addresses: compiling looks at alignment alone.
PagedCacheView view_of(CacheLayout layout, ElementType type, int head_size) {
  return dense_cache_view({layout, type, 64, 16, 4, head_size}, nullptr, nullptr);
}

CopySide side_of(const PagedCacheView& cache) {
  return {cache.geometry.element_type, cache.geometry.block_size, cache.key, cache.value, {}};
}

std::vector<KernelSource> copy_sources() {
  std::vector<KernelSource> sources;
  for (CacheLayout from : all_layouts) {
    for (CacheLayout to : all_layouts) {
      for (ElementType type : {ElementType::float16, ElementType::float8_e4m3}) {
        const PagedCacheView source = view_of(from, ElementType::float16, 128), destination = view_of(to, type, 128);
        sources.push_back(copy_source({side_of(source), side_of(destination), 1, 4, 128}));
      }
    }
  }
  return sources;
}

/// Every element type written into every other.
std::vector<KernelSource> conversion_sources() {
  std::vector<KernelSource> sources;
  constexpr std::array types{ElementType::float32, ElementType::float16, ElementType::bfloat16,
                             ElementType::float8_e4m3, ElementType::float8_e5m2};
  for (ElementType from : types) {
    for (ElementType to : types) {
      const CopySide source = side_of(view_of(CacheLayout::nhd, from, 128));
      sources.push_back(copy_source({source, side_of(view_of(CacheLayout::hnd, to, 128)), 1, 4, 128}));
    }
  }
  return sources;
}

std::vector<KernelSource> record_sources() {
  std::vector<KernelSource> sources;
  for (CacheLayout layout : all_layouts) {
    for (ElementType type : {ElementType::float32, ElementType::bfloat16, ElementType::float8_e5m2}) {
      for (SliceChecksum checksum : {SliceChecksum::weighted_sum, SliceChecksum::mixed_sum}) {
        sources.push_back(slice_records_source(view_of(layout, type, 128).geometry, checksum));
      }
    }
  }
  return sources;
}

std::vector<KernelSource> sum_sources() {
  std::vector<KernelSource> sources;
  for (int width : {1, 2, 4, 8}) {
    for (CacheLayout layout : all_layouts) {
      for (ElementType type : {ElementType::float32, ElementType::bfloat16, ElementType::float8_e5m2}) {
        sources.push_back(weighted_sum_source(view_of(layout, type, 128), {.piece_width = width}));
      }
    }
    for (bool is_aligned : {false, true}) {
      LayersChecksumArguments arguments;
      arguments.pieces = {{8, 1, 8, 16, 512 / width}, {65536 / width, 0, 8192 / width, 512 / width, 1}, width};
      arguments.aligned = is_aligned;
      sources.push_back(layers_checksum_source(arguments, {}));
    }
  }
  return sources;
}

/// Sums that are added while the launch which zeroes their places ends: from sm_90 on.
std::vector<KernelSource> dependent_sources() {
  std::vector<KernelSource> sources{zero_sums_source()};
  for (CacheLayout layout : all_layouts) {
    sources.push_back(weighted_sum_source(view_of(layout, ElementType::bfloat16, 128), {.follows_zeroing = true}));
  }
  return sources;
}

std::vector<KernelSource> other_sources() {
  std::vector<KernelSource> sources;
  for (ElementType type : {ElementType::float32, ElementType::float16, ElementType::bfloat16}) {
    sources.push_back(merge_states_source({1, 128, type}));
  }
  for (const std::string& name : device_checksums().names()) {
    for (CacheLayout layout : all_layouts) {
      for (ElementType type : {ElementType::float16, ElementType::float8_e4m3}) {
        sources.push_back(device_checksums().at(name).source(view_of(layout, type, 128), {}));
      }
    }
  }
  for (const DeviceReader& reader : device_readers()) sources.push_back(reader.source());
  return sources;
}

TEST_CASE("copies, checksums, merges and readers compile for every architecture", "[kernels][cuda][compile]") {
  if (find_nvrtc_library() == nullptr) SKIP("NVRTC is not on this machine");
  const std::string architecture = GENERATE(as<std::string>(), "sm_80", "sm_90a", "sm_100");
  int compiled = 0, spilling = 0;
  const bool has_dependent_launch = parse_architecture(architecture).is_at_least({9, 0, false});
  for (const auto& sources : {has_dependent_launch ? dependent_sources() : std::vector<KernelSource>{}, copy_sources(),
                              conversion_sources(), record_sources(), sum_sources(), other_sources()}) {
    for (const KernelSource& source : sources) {
      CAPTURE(source.entry_file, source.constants.header(), architecture);
      REQUIRE_NOTHROW(spilling += spilling_kernels(source, architecture));
      ++compiled;
    }
  }
  std::cout << architecture << ": " << compiled << " sources compiled, " << spilling << " kernels spill registers\n";
  CHECK(compiled > 0);
}

TEST_CASE("a source that does not compile is answered with the compiler's log", "[kernels][cuda]") {
  if (find_nvrtc_library() == nullptr) SKIP("NVRTC is not on this machine");
  KernelSource source = merge_states_source({1, 128, ElementType::float32});
  source.constants = {};
  std::string message;
  try {
    compile(source, {9, 0, true});
  } catch (const InputError& error) {
    message = error.what();
  }
  CAPTURE(message);
  CHECK(message.find("kernels/attention/cuda/merge_states.cuh does not compile") != std::string::npos);
  CHECK(message.find("element_type") != std::string::npos);
  source = merge_states_source({1, 128, ElementType::float32});
  source.kernels = {"no_such_kernel"};
  CHECK_THROWS_AS(compile(source, {9, 0, true}), InputError);
  source.entry_file = "kernels/no_such_file.cuh";
  CHECK_THROWS_AS(compile(source, {9, 0, true}), InputError);
}

}  // namespace
}  // namespace kvarium::test

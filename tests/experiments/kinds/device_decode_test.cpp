#include "experiments/kinds/device_decode.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "experiments/kinds/reference_check.hpp"
#include "kernels/cuda/driver_library.hpp"
#include "tests/experiments/kinds/small_point.hpp"

using namespace kvarium;
using namespace kvarium::test;

namespace {

void require_gpu() {
  if (!missing_device_reason().empty()) SKIP("no GPU: " << missing_device_reason());
}

PointConfig decode_point(CacheLayout layout) {
  PointConfig point = small_point();
  point.device = Device::cuda;
  point.base.variant.family = "gqa_packed";
  point.base.cache.layout = layout;
  return point;
}

std::vector<std::byte> bytes_on_device(const CacheTensor& tensor, std::size_t bytes) {
  std::vector<std::byte> read(bytes);
  copy_to_host(read.data(), tensor.data, bytes);
  synchronize_stream(nullptr);
  return read;
}

}  // namespace

TEST_CASE("caches on a device are copied until they make up the working set, and take turns", "[experiments][gpu]") {
  require_gpu();
  const CacheLayout layout = GENERATE(CacheLayout::hnd, CacheLayout::packed);
  CAPTURE(to_string(layout));
  const DecodeScenario scenario(decode_point(layout), small_key);
  const CacheGeometry& geometry = scenario.views().front().geometry;
  const auto tensor_bytes = static_cast<std::size_t>(tensor_elements(geometry) * element_bytes(geometry.element_type));
  const std::int64_t all_layers = static_cast<std::int64_t>(tensor_bytes) * (layout == CacheLayout::packed ? 2 : 4);
  const CudaStream stream;

  const DeviceCaches caches(scenario.views(), 2 * all_layers + 1, stream.handle());
  stream.synchronize();

  CHECK(caches.num_copies() == 3);
  CHECK(caches.of_run(4)[1].key.data == caches.of_run(1)[1].key.data);
  CHECK(caches.of_run(0)[1].key.data != caches.of_run(1)[1].key.data);
  for (std::int64_t run = 0; run < 3; ++run) {
    for (std::size_t layer = 0; layer < 2; ++layer) {
      const std::byte* const host = scenario.views()[layer].key.data;
      CHECK(bytes_on_device(caches.of_run(run)[layer].key, tensor_bytes) ==
            std::vector<std::byte>(host, host + tensor_bytes));
    }
  }
}

TEST_CASE("a decode step on a GPU is right on every copy of the caches", "[experiments][gpu]") {
  require_gpu();
  const CacheLayout layout = GENERATE(CacheLayout::hnd, CacheLayout::nhd, CacheLayout::split_x, CacheLayout::packed);
  CAPTURE(to_string(layout));
  const PointConfig point = decode_point(layout);
  const DecodeScenario scenario(point, small_key);
  DeviceDecode decode(scenario, point.base.variant, 1 << 16);

  for (std::int64_t layer = 0; layer < 2; ++layer) {
    CHECK(check_with_reference(scenario, layer, point.base.variant, decode.output(layer)).is_right());
  }
  for (std::int64_t run = 0; run < 4; ++run) {
    decode.launch_step(run);
    CHECK(check_with_reference(scenario, 1, point.base.variant, decode.latest_output()).is_right());
  }
}

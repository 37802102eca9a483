#include "kernels/cuda/growing_memory.hpp"

#include <catch2/catch_test_macros.hpp>
#include <optional>

#include "core/check.hpp"
#include "kernels/cuda/device_scope.hpp"
#include "kernels/cuda/driver_library.hpp"
#include "kernels/cuda/stream.hpp"
#include "tests/support/cuda_graph.hpp"

namespace kvarium::test {
namespace {

void require_device() {
  if (!missing_device_reason().empty()) SKIP("no GPU: " << missing_device_reason());
}

}  // namespace

TEST_CASE("a workspace is empty until it is needed, which takes no device", "[kernels]") {
  const GrowingMemory memory(0);

  CHECK(memory.size_bytes() == 0);
}

TEST_CASE("a workspace grows, is reused, and keeps the memory it outgrew", "[kernels][gpu]") {
  require_device();
  const DeviceScope scope(0);
  GrowingMemory memory(0);

  const void* first = memory.reserve(1000);
  CHECK(memory.reserve(1000) == first);
  CHECK(memory.reserve(10) == first);
  const void* second = memory.reserve(1001);

  CHECK(second != first);
  CHECK(memory.size_bytes() == 2000);
  CHECK(device_of_address(first) == std::optional{0});
  CHECK(device_of_address(second) == std::optional{0});
}

TEST_CASE("a workspace grows while a graph is captured, and the graph uses it afterwards", "[kernels][gpu]") {
  require_device();
  const DeviceScope scope(0);
  GrowingMemory memory(0);
  const CudaStream stream;
  unsigned char byte = 0;

  const CudaGraph graph(stream, [&] { fill_on_device(memory.reserve(256), 7, 256, stream.handle()); });
  graph.launch(stream);
  copy_to_host(&byte, memory.reserve(256), 1, stream.handle());
  stream.synchronize();

  CHECK(byte == 7);
}

TEST_CASE("memory of the host and missing devices are told apart", "[kernels][gpu]") {
  require_device();
  const int local = 0;

  CHECK_FALSE(device_of_address(&local).has_value());
  CHECK_THROWS_AS(DeviceScope(10000), InputError);
}

TEST_CASE("later work on a stream waits for what another one had", "[kernels][gpu]") {
  require_device();
  const DeviceScope scope(0);
  const CudaStream earlier;
  const CudaStream later;
  constexpr std::size_t bytes = std::size_t{1} << 28;
  const DeviceBytes memory(bytes);
  unsigned char last = 0;

  for (int fill = 1; fill <= 20; ++fill) {
    fill_on_device(memory.data(), static_cast<unsigned char>(fill), bytes, earlier.handle());
  }
  order_streams(earlier.handle(), later.handle());
  copy_to_host(&last, static_cast<std::byte*>(memory.data()) + bytes - 1, 1, later.handle());
  later.synchronize();

  CHECK(last == 20);
}

}  // namespace kvarium::test

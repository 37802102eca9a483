#include "experiments/kinds/side_by_side.hpp"

#include <catch2/catch_test_macros.hpp>

#include "kernels/cuda/device_memory.hpp"
#include "kernels/cuda/driver_library.hpp"

using namespace kvarium;

namespace {

using Seconds = std::vector<double>;

}  // namespace

TEST_CASE("a run counts when it lies within the time of every other stream's runs", "[experiments][kinds]") {
  const std::vector<Seconds> ends{{1, 3, 6, 10, 15}, {4, 7, 11}};

  CHECK(shared_durations(ends, 0) == Seconds{4});
  CHECK(shared_durations(ends, 1) == Seconds{3, 4});
}

TEST_CASE("of a stream alone every run but the first counts", "[experiments][kinds]") {
  CHECK(shared_durations({{1, 3, 6}}, 0) == Seconds{2, 3});
}

TEST_CASE("streams that never worked at once share no run", "[experiments][kinds]") {
  const std::vector<Seconds> ends{{1, 2, 3}, {4, 5, 6}};

  CHECK(shared_durations(ends, 0).empty());
  CHECK(shared_durations(ends, 1).empty());
}

TEST_CASE("two streams repeat their work side by side until the first has done its runs", "[experiments][gpu]") {
  if (!missing_device_reason().empty()) SKIP("no GPU: " << missing_device_reason());
  constexpr std::size_t bytes = std::size_t{64} << 20;
  const CudaStream first, second;
  const DeviceBytes memory(2 * bytes);
  int first_runs = 0, second_runs = 0;
  const auto fill = [](const CudaStream& stream, void* data, int& runs) {
    return [&stream, data, &runs](std::int64_t run) {
      CHECK(run == runs++);
      fill_on_device(data, 1, bytes, stream.handle());
    };
  };

  const auto series = run_side_by_side(
      {{"first", bytes, &first, fill(first, memory.data(), first_runs)},
       {"second", bytes, &second, fill(second, static_cast<std::byte*>(memory.data()) + bytes, second_runs)}},
      20);

  REQUIRE(series.size() == 2);
  CHECK(series[0].name == "first");
  CHECK(first_runs >= 20);
  CHECK(second_runs >= 4);
  CHECK(series[0].seconds.size() < static_cast<std::size_t>(first_runs));
  for (const TimedSeries& one : series) CHECK(one.median() > 0);
}

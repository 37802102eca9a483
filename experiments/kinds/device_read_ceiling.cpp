#include "experiments/kinds/device_read_ceiling.hpp"

#include "kernels/memory/device_reader.hpp"

namespace kvarium {
namespace {

constexpr std::size_t ceiling_bytes = std::size_t{4} << 30;

}  // namespace

DeviceReadCeiling::DeviceReadCeiling() : memory_(ceiling_bytes), sink_(sizeof(std::uint32_t)) {
  fill_random_on_device(memory_.data(), ceiling_bytes, timer_.stream());
  synchronize_stream(timer_.stream());
}

std::vector<TimedWork> DeviceReadCeiling::works() {
  std::vector<TimedWork> works;
  for (const DeviceReader& reader : device_readers()) {
    works.push_back({reader.name(), static_cast<double>(ceiling_bytes), [this, &reader](std::int64_t) {
                       return timer_.seconds(
                           [&] { reader.read(memory_.data(), ceiling_bytes, sink_.data(), timer_.stream()); });
                     }});
  }
  return works;
}

}  // namespace kvarium

#include "experiments/kinds/device_read_ceiling.hpp"

#include <algorithm>

#include "experiments/kinds/read_ceiling.hpp"

namespace kvarium {
namespace {

constexpr std::int64_t ceiling_bytes = std::int64_t{4} << 30;
/// Reads begin and end at whole lines of memory.
constexpr std::size_t line_bytes = 256;

std::size_t whole_lines(std::int64_t bytes) {
  return (static_cast<std::size_t>(bytes) + line_bytes - 1) / line_bytes * line_bytes;
}

const DeviceReader& reader_called(const std::string& name) {
  const auto& readers = device_readers();
  return *std::find_if(readers.begin(), readers.end(), [&](const DeviceReader& item) { return item.name() == name; });
}

}  // namespace

DeviceReadCeiling::DeviceReadCeiling(std::int64_t same_size_bytes)
    : same_size_bytes_(whole_lines(same_size_bytes)),
      memory_(std::max(static_cast<std::size_t>(ceiling_bytes), same_size_bytes_)),
      sink_(sizeof(std::uint32_t)) {
  fill_random_on_device(memory_.data(), memory_.size_bytes(), timer_.stream());
  synchronize_stream(timer_.stream());
}

std::vector<TimedWork> DeviceReadCeiling::works() {
  std::vector<TimedWork> works;
  for (const DeviceReader& reader : device_readers()) {
    const auto read_all = [this, &reader](std::int64_t) {
      reader.read(memory_.data(), ceiling_bytes, sink_.data(), timer_.stream());
    };
    works.push_back({reader.name(), static_cast<double>(ceiling_bytes), [this, read_all](std::int64_t sample) {
                       return timer_.seconds(read_all, sample, cooling_of(ceiling_bytes, 1));
                     }});
  }
  return works;
}

std::int64_t DeviceReadCeiling::num_places() const {
  return static_cast<std::int64_t>(memory_.size_bytes() / same_size_bytes_);
}

void DeviceReadCeiling::read(const DeviceReader& reader, std::int64_t run) {
  const auto place = static_cast<std::size_t>(run % num_places());
  const auto* const begin = static_cast<const std::byte*>(memory_.data()) + place * same_size_bytes_;
  reader.read(begin, same_size_bytes_, sink_.data(), timer_.stream());
}

std::vector<TimedWork> DeviceReadCeiling::same_size_works() {
  const Cooling cooling = cooling_of(static_cast<std::int64_t>(same_size_bytes_), num_places());
  std::vector<TimedWork> works;
  for (const DeviceReader& reader : device_readers()) {
    const auto read_one = [this, &reader](std::int64_t run) { read(reader, run); };
    works.push_back(
        {reader.name(), static_cast<double>(same_size_bytes_),
         [this, read_one, cooling](std::int64_t sample) { return timer_.seconds(read_one, sample, cooling); }});
  }
  return works;
}

SustainedRun DeviceReadCeiling::run_sustained_read(const TimedSeries& reader, double seconds) {
  const DeviceReader& found = reader_called(reader.name);
  return run_sustained(
      timer_.cuda_stream(), [&](std::int64_t run) { read(found, run); }, reader.median(), seconds);
}

Throughput measure_on_device(const TimedWork& kernel, const CudaStream& stream,
                             const std::function<void(std::int64_t run)>& launch, const LimitsConfig& limits) {
  DeviceReadCeiling ceiling(static_cast<std::int64_t>(kernel.bytes));
  std::vector<TimedWork> readers = ceiling.works();
  const std::size_t num_readers = readers.size();
  for (TimedWork& work : ceiling.same_size_works()) readers.push_back(std::move(work));
  Throughput throughput = measure_throughput(kernel, readers, limits);
  const auto same_size = throughput.readers.begin() + static_cast<std::ptrdiff_t>(num_readers);
  throughput.same_size_readers.assign(same_size, throughput.readers.end());
  throughput.readers.erase(same_size, throughput.readers.end());
  if (limits.sustained_seconds > 0) {
    const TimedSeries& read = fastest(throughput.same_size_readers);
    throughput.sustained = run_sustained(stream, launch, throughput.kernel.median(), limits.sustained_seconds);
    throughput.sustained_read = ceiling.run_sustained_read(read, limits.sustained_seconds);
  }
  for (TimedSeries& reader : throughput.same_size_readers) reader.name = "same_size_" + reader.name;
  return throughput;
}

}  // namespace kvarium

#include "kernels/cuda/launch.hpp"

#include <limits>
#include <map>
#include <mutex>
#include <tuple>

#include "core/check.hpp"
#include "core/rounding.hpp"
#include "kernels/cuda/compiler.hpp"
#include "kernels/cuda/context.hpp"
#include "kernels/cuda/driver_library.hpp"

namespace kvarium {
namespace {

/// Dynamic shared memory that every kernel may ask for without opting in.
constexpr std::size_t granted_shared_bytes = 48 * 1024;

driver::Module load_module(const CompiledKernel& compiled, void* context) {
  static std::mutex mutex;
  static std::map<std::pair<void*, std::string>, driver::Module> modules;
  const std::lock_guard lock(mutex);
  const auto [entry, is_new] = modules.try_emplace({context, compiled.key}, nullptr);
  if (is_new || entry->second == nullptr) KVARIUM_DRIVER(module_load, &entry->second, compiled.cubin.data());
  return entry->second;
}

driver::LaunchConfiguration configuration_of(const LaunchShape& shape, void* stream) {
  return {shape.grid[0],
          shape.grid[1],
          shape.grid[2],
          shape.block[0],
          shape.block[1],
          shape.block[2],
          static_cast<unsigned int>(shape.dynamic_shared_bytes),
          stream,
          nullptr,
          0};
}

}  // namespace

LaunchShape shape_for_warps(std::int64_t warps, int warps_per_block) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  const std::int64_t blocks = divide_up<std::int64_t>(warps, warps_per_block);
  KVARIUM_VALIDATE(blocks <= most, "the call needs ", blocks, " thread blocks but a grid holds ", most,
                   "; pass fewer rows at once, or a larger chunk");
  LaunchShape shape;
  shape.grid[0] = static_cast<unsigned int>(blocks);
  shape.block[0] = static_cast<unsigned int>(32 * warps_per_block);
  return shape;
}

void DeviceKernel::launch_with(const LaunchShape& shape, void* stream, const void* const* arguments) const {
  // The driver reads the arguments and never writes them.
  void** parameters = const_cast<void**>(arguments);
  if (!shape.is_dependent) {
    KVARIUM_DRIVER(launch, function, shape.grid[0], shape.grid[1], shape.grid[2], shape.block[0], shape.block[1],
                   shape.block[2], static_cast<unsigned int>(shape.dynamic_shared_bytes), stream, parameters, nullptr);
    return;
  }
  driver::LaunchAttribute dependent{};
  dependent.id = driver::attribute_programmatic_stream_serialization;
  dependent.value.flag = 1;
  driver::LaunchConfiguration configuration = configuration_of(shape, stream);
  configuration.attributes = &dependent;
  configuration.num_attributes = 1;
  KVARIUM_VALIDATE(driver_library().launch_extended != nullptr,
                   "dependent launches need a CUDA driver of 11.8 or newer; use combine: kernel");
  KVARIUM_DRIVER(launch_extended, &configuration, function, parameters, nullptr);
}

DeviceKernel load_kernel(const KernelSource& source, const std::string& kernel, std::size_t dynamic_shared_bytes) {
  void* context = ensure_context();
  const auto compiled = compile(source, current_device().architecture);
  DeviceKernel loaded;
  KVARIUM_DRIVER(module_function, &loaded.function, load_module(*compiled, context), kernel.c_str());
  if (dynamic_shared_bytes > granted_shared_bytes) {
    KVARIUM_DRIVER(function_set_attribute, loaded.function, driver::function_attribute_max_dynamic_shared_bytes,
                   static_cast<int>(dynamic_shared_bytes));
  }
  return loaded;
}

}  // namespace kvarium

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "kernels/cuda/kernel_source.hpp"

namespace kvarium {

/// Grid and thread block of a launch.
struct LaunchShape {
  std::array<unsigned int, 3> grid{1, 1, 1};
  std::array<unsigned int, 3> block{1, 1, 1};
  std::size_t dynamic_shared_bytes = 0;
  /// The kernel may start before the one launched ahead of it on the stream has ended; it waits for its results itself
  /// (griddepcontrol.wait). From compute capability 9.0 on.
  bool is_dependent = false;
};

/// A launch of as many thread blocks of `warps_per_block` warps as hold `warps` warps. Errors: InputError where a grid
/// does not hold them, so that no work is left out in silence.
LaunchShape shape_for_warps(std::int64_t warps, int warps_per_block);

/// A kernel loaded into the current context; a plain handle, valid as long as the process. Dynamic shared memory above
/// 48 KiB is allowed already, as far as `load_kernel` was told.
struct DeviceKernel {
  void* function = nullptr;

  /// Puts the kernel on `stream` (a CUstream; null: the default stream) and returns at once. `arguments` are those of
  /// the kernel in order. Allocates nothing and never waits, so it may be captured into a CUDA graph.
  /// Errors: DriverError.
  template <class... Arguments>
  void launch(const LaunchShape& shape, void* stream, const Arguments&... arguments) const {
    const void* pointers[] = {static_cast<const void*>(&arguments)..., nullptr};
    launch_with(shape, stream, pointers);
  }

  /// As `launch`, with one pointer an argument.
  void launch_with(const LaunchShape& shape, void* stream, const void* const* arguments) const;
};

/// Compiles `source` for the device of the current context and loads it there, once for each context; later calls only
/// look it up. `dynamic_shared_bytes`: the most that launches will ask for. Thread-safe. Not for use while a graph is
/// captured unless loaded before. Errors: NotConfigured without NVRTC or device, InputError, DriverError.
DeviceKernel load_kernel(const KernelSource& source, const std::string& kernel, std::size_t dynamic_shared_bytes = 0);

}  // namespace kvarium

#include "kernels/cuda/driver_library.hpp"

#include <optional>

#include "core/check.hpp"
#include "kernels/cuda/dynamic_library.hpp"

namespace kvarium {
namespace {

bool find_device_functions(const DynamicLibrary& library, DriverLibrary& driver) {
  return library.find("cuInit", driver.init) && library.find("cuDriverGetVersion", driver.driver_version) &&
         library.find("cuGetErrorName", driver.error_name) && library.find("cuGetErrorString", driver.error_string) &&
         library.find("cuDeviceGetCount", driver.device_count) && library.find("cuDeviceGet", driver.device_get) &&
         library.find("cuDeviceGetName", driver.device_name) &&
         library.find("cuDeviceGetAttribute", driver.device_attribute) &&
         library.find("cuDeviceGetPCIBusId", driver.device_bus) &&
         library.find("cuDevicePrimaryCtxRetain", driver.primary_context_retain) &&
         library.find("cuCtxGetCurrent", driver.context_get_current) &&
         library.find("cuCtxSetCurrent", driver.context_set_current) &&
         library.find("cuCtxGetDevice", driver.context_get_device);
}

bool find_launch_functions(const DynamicLibrary& library, DriverLibrary& driver) {
  library.find("cuLaunchKernelEx", driver.launch_extended);
  return library.find("cuModuleLoadData", driver.module_load) &&
         library.find("cuModuleGetFunction", driver.module_function) &&
         library.find("cuFuncSetAttribute", driver.function_set_attribute) &&
         library.find("cuLaunchKernel", driver.launch) &&
         library.find("cuThreadExchangeStreamCaptureMode", driver.exchange_capture_mode) &&
         library.find("cuStreamBeginCapture_v2", driver.stream_begin_capture) &&
         library.find("cuStreamEndCapture", driver.stream_end_capture) &&
         library.find("cuGraphInstantiateWithFlags", driver.graph_instantiate) &&
         library.find("cuGraphLaunch", driver.graph_launch) && library.find("cuGraphDestroy", driver.graph_destroy) &&
         library.find("cuGraphExecDestroy", driver.graph_executable_destroy);
}

bool find_memory_functions(const DynamicLibrary& library, DriverLibrary& driver) {
  return library.find("cuPointerGetAttribute", driver.pointer_attribute) &&
         library.find("cuMemAlloc_v2", driver.memory_allocate) && library.find("cuMemFree_v2", driver.memory_free) &&
         library.find("cuMemcpyHtoDAsync_v2", driver.copy_to_device) &&
         library.find("cuMemcpyDtoHAsync_v2", driver.copy_to_host) &&
         library.find("cuMemcpyDtoDAsync_v2", driver.copy_on_device) && library.find("cuMemsetD8Async", driver.fill);
}

bool find_stream_functions(const DynamicLibrary& library, DriverLibrary& driver) {
  return library.find("cuStreamCreate", driver.stream_create) &&
         library.find("cuStreamDestroy_v2", driver.stream_destroy) &&
         library.find("cuStreamSynchronize", driver.stream_synchronize) &&
         library.find("cuStreamWaitEvent", driver.stream_wait_event) &&
         library.find("cuEventCreate", driver.event_create) &&
         library.find("cuEventDestroy_v2", driver.event_destroy) &&
         library.find("cuEventRecord", driver.event_record) && library.find("cuEventQuery", driver.event_query) &&
         library.find("cuEventSynchronize", driver.event_synchronize) &&
         library.find("cuEventElapsedTime", driver.event_elapsed_time);
}

/// The driver as far as it could be opened.
struct OpenedDriver {
  std::optional<DynamicLibrary> library;
  DriverLibrary functions{};
  std::string problem;
};

std::string initialise(OpenedDriver& opened) {
  opened.library = DynamicLibrary::open("libcuda.so.1");
  if (!opened.library) return "libcuda.so.1 was not found: install an NVIDIA driver";
  DriverLibrary& driver = opened.functions;
  if (!find_device_functions(*opened.library, driver) || !find_launch_functions(*opened.library, driver) ||
      !find_memory_functions(*opened.library, driver) || !find_stream_functions(*opened.library, driver)) {
    return "libcuda.so.1 is older than CUDA 11.4";
  }
  if (const int result = driver.init(0); result != 0) {
    const char* text = nullptr;
    driver.error_string(result, &text);
    return concatenate("the CUDA driver does not start: ", text != nullptr ? text : "unknown error");
  }
  int count = 0;
  if (driver.device_count(&count) != 0 || count == 0) return "the CUDA driver sees no device";
  return "";
}

const OpenedDriver& opened_driver() {
  static const OpenedDriver driver = [] {
    OpenedDriver opened;
    opened.problem = initialise(opened);
    return opened;
  }();
  return driver;
}

}  // namespace

const std::string& missing_device_reason() { return opened_driver().problem; }

const DriverLibrary& driver_library() {
  const OpenedDriver& opened = opened_driver();
  if (!opened.problem.empty()) {
    throw NotConfigured(concatenate("device cuda is not configured (", opened.problem,
                                    "); install NVIDIA's driver on a machine with a GPU, or use device cpu"));
  }
  return opened.functions;
}

void detail::check_driver(int result, const char* call, const char* file, int line) {
  if (result == 0) return;
  const char* name = nullptr;
  const char* text = nullptr;
  opened_driver().functions.error_name(result, &name);
  opened_driver().functions.error_string(result, &text);
  throw DriverError(concatenate(file, ":", line, ": the CUDA driver's ", call, " failed with ",
                                name != nullptr ? name : concatenate("error ", result), " (",
                                text != nullptr ? text : "unknown", ")"));
}

}  // namespace kvarium

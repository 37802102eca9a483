#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace kvarium {

/// A call of the CUDA driver failed. The message names the call, the error and where it happened.
class DriverError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

namespace driver {

// Handles and structs as the driver's stable binary interface has them.
using Device = int;
using Context = void*;
using Module = void*;
using Function = void*;
using Stream = void*;
using Event = void*;
using Graph = void*;
using DevicePointer = unsigned long long;

/// CUlaunchAttribute.
struct LaunchAttribute {
  int id;
  char padding[4];
  union {
    char bytes[64];
    int flag;
  } value;
};

/// CUlaunchConfig.
struct LaunchConfiguration {
  unsigned int grid_x, grid_y, grid_z;
  unsigned int block_x, block_y, block_z;
  unsigned int dynamic_shared_bytes;
  Stream stream;
  LaunchAttribute* attributes;
  unsigned int num_attributes;
};

constexpr int attribute_programmatic_stream_serialization = 6;
constexpr int function_attribute_max_dynamic_shared_bytes = 8;
constexpr int pointer_attribute_memory_type = 2;
constexpr int pointer_attribute_is_managed = 8;
constexpr int pointer_attribute_device_ordinal = 9;
constexpr int memory_type_host = 1;
constexpr unsigned int event_disable_timing = 2;
constexpr int relaxed_capture = 2;
constexpr unsigned int stream_non_blocking = 1;

/// Numbers of CUdevice_attribute.
enum DeviceAttribute : int {
  multiprocessor_count = 16,
  l2_cache_bytes = 38,
  max_threads_per_multiprocessor = 39,
  compute_capability_major = 75,
  compute_capability_minor = 76,
  max_shared_memory_per_multiprocessor = 81,
  max_registers_per_multiprocessor = 82,
  max_shared_memory_per_block_optin = 97,
};

}  // namespace driver

/// The functions of the CUDA driver that kvarium calls; opened on first use, never linked. A result of 0 is success.
struct DriverLibrary {
  int (*init)(unsigned int flags);
  int (*driver_version)(int* version);
  int (*error_name)(int result, const char** name);
  int (*error_string)(int result, const char** text);
  int (*device_count)(int* count);
  int (*device_get)(driver::Device* device, int ordinal);
  int (*device_name)(char* name, int length, driver::Device device);
  int (*device_bus)(char* bus, int length, driver::Device device);
  int (*device_attribute)(int* value, int attribute, driver::Device device);
  int (*primary_context_retain)(driver::Context* context, driver::Device device);
  int (*context_get_current)(driver::Context* context);
  int (*context_set_current)(driver::Context context);
  int (*context_get_device)(driver::Device* device);
  int (*module_load)(driver::Module* module, const void* image);
  int (*module_function)(driver::Function* function, driver::Module module, const char* name);
  int (*function_set_attribute)(driver::Function function, int attribute, int value);
  int (*launch)(driver::Function function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int dynamic_shared_bytes,
                driver::Stream stream, void** arguments, void** extra);
  int (*launch_extended)(const driver::LaunchConfiguration* configuration, driver::Function function, void** arguments,
                         void** extra);  ///< null in drivers before 11.8
  int (*pointer_attribute)(void* value, int attribute, driver::DevicePointer pointer);
  int (*memory_allocate)(driver::DevicePointer* pointer, std::size_t bytes);
  int (*memory_free)(driver::DevicePointer pointer);
  int (*copy_to_device)(driver::DevicePointer destination, const void* source, std::size_t bytes,
                        driver::Stream stream);
  int (*copy_to_host)(void* destination, driver::DevicePointer source, std::size_t bytes, driver::Stream stream);
  int (*copy_on_device)(driver::DevicePointer destination, driver::DevicePointer source, std::size_t bytes,
                        driver::Stream stream);
  int (*fill)(driver::DevicePointer destination, unsigned char value, std::size_t bytes, driver::Stream stream);
  int (*stream_create)(driver::Stream* stream, unsigned int flags);
  int (*stream_destroy)(driver::Stream stream);
  int (*stream_synchronize)(driver::Stream stream);
  int (*stream_wait_event)(driver::Stream stream, driver::Event event, unsigned int flags);
  int (*event_create)(driver::Event* event, unsigned int flags);
  int (*event_destroy)(driver::Event event);
  int (*event_record)(driver::Event event, driver::Stream stream);
  int (*event_query)(driver::Event event);
  int (*event_synchronize)(driver::Event event);
  int (*event_elapsed_time)(float* milliseconds, driver::Event start, driver::Event end);
  int (*exchange_capture_mode)(int* mode);
  int (*stream_begin_capture)(driver::Stream stream, int mode);
  int (*stream_end_capture)(driver::Stream stream, driver::Graph* graph);
  int (*graph_instantiate)(driver::Graph* executable, driver::Graph graph, unsigned long long flags);
  int (*graph_launch)(driver::Graph executable, driver::Stream stream);
  int (*graph_destroy)(driver::Graph graph);
  int (*graph_executable_destroy)(driver::Graph executable);
};

/// Why no kernel can run here ("libcuda.so.1 was not found", "no CUDA device"), or "" when one can.
const std::string& missing_device_reason();

/// The initialised driver. Errors: NotConfigured with `missing_device_reason()` and what to do.
const DriverLibrary& driver_library();

namespace detail {
/// Throws DriverError that names call, error and place unless `result` is 0.
void check_driver(int result, const char* call, const char* file, int line);
}

}  // namespace kvarium

/// Calls a function of the driver: KVARIUM_DRIVER(stream_synchronize, stream). Every call goes through here.
/// Errors: NotConfigured, DriverError.
#define KVARIUM_DRIVER(function, ...) \
  ::kvarium::detail::check_driver(::kvarium::driver_library().function(__VA_ARGS__), #function, __FILE__, __LINE__)

#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>

#include "kernels/cuda/device_scope.hpp"

namespace kvarium::python {

/// A CUDA device and the handle of one of its streams. Where a binding takes a pointer to one, null is the host.
struct DevicePlace {
  int device = 0;
  std::uintptr_t stream = 0;

  void* handle() const { return reinterpret_cast<void*>(stream); }
};

/// The stretch of a binding in which work is put on a device: without Python's global lock, with the device current.
/// Also while a CUDA graph is captured, kernels may be loaded and workspaces grow. Threads that share a workspace
/// put their launches on a stream one call after the other (GrowingMemory::hold_for_launches).
class DeviceSection {
 public:
  explicit DeviceSection(const DevicePlace& place) : scope_(place.device) {}

 private:
  pybind11::gil_scoped_release release_;
  DeviceScope scope_;
  RelaxedCapture relaxed_;
};

}  // namespace kvarium::python

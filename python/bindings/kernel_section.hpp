#pragma once

#include <pybind11/pybind11.h>

#include <mutex>

namespace kvarium::python {

/// The stretch of a binding in which a kernel runs: without Python's global lock, so that other Python threads go on,
/// and one kernel at a time. Before version 4, Kokkos does not guard its OpenMP threads against two callers at once.
class KernelSection {
 public:
  KernelSection() : lock_(mutex()) {}

 private:
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }

  // In this order: a thread that waits for a kernel must not hold Python's lock.
  pybind11::gil_scoped_release release_;
  std::lock_guard<std::mutex> lock_;
};

}  // namespace kvarium::python

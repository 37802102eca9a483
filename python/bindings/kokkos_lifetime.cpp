#include <Kokkos_Core.hpp>
#include <array>
#include <string>

#include "core/host_runtime.hpp"
#include "python/bindings/bindings.hpp"

namespace kvarium::python {

namespace py = pybind11;

void start_kokkos() {
  if (Kokkos::is_initialized()) return;
  validate_host_threads();
  // Kokkos warns about unbound threads, which are right here: Python shares the machine with other libraries' threads.
  std::string program = "kvarium";
  std::string quiet = "--kokkos-disable-warnings";
  std::array<char*, 3> arguments = {program.data(), quiet.data(), nullptr};
  int count = 2;
  Kokkos::initialize(count, arguments.data());
  py::module_::import("atexit").attr("register")(py::cpp_function([] {
    if (Kokkos::is_initialized()) Kokkos::finalize();
  }));
}

}  // namespace kvarium::python

#include <exception>

#include "core/check.hpp"
#include "python/bindings/bindings.hpp"

namespace kvarium::python {
namespace {

namespace py = pybind11;

void raise(const char* class_name, const std::exception& error) {
  const py::object error_class = py::module_::import("kvarium.errors").attr(class_name);
  py::set_error(error_class, error.what());
}

void translate(std::exception_ptr pointer) {
  if (!pointer) return;
  try {
    std::rethrow_exception(pointer);
  } catch (const NotConfigured& error) {
    raise("NotConfigured", error);
  } catch (const InputError& error) {
    raise("InputError", error);
  }
}

}  // namespace

void register_error_translation() { py::register_local_exception_translator(&translate); }

}  // namespace kvarium::python

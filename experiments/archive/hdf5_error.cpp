#include "experiments/archive/hdf5_error.hpp"

#include <fmt/format.h>

#include <array>

#include "core/check.hpp"

namespace kvarium {

namespace {

herr_t keep_description(unsigned depth, const H5E_error2_t* error, void* reason) {
  // Walking upwards, depth 0 is where it went wrong.
  if (depth == 0 && error->desc != nullptr) *static_cast<std::string*>(reason) = error->desc;
  return 0;
}

/// Of a failed read or write HDF5 tells time, buffer and sizes over two lines; the system's own words say what is
/// wrong.
std::string system_reason(const std::string& reason) {
  const std::string begin = "error message = '";
  const std::size_t first = reason.find(begin);
  if (first == std::string::npos) return reason;
  const std::size_t last = reason.find('\'', first + begin.size());
  return reason.substr(first + begin.size(), last - first - begin.size());
}

}  // namespace

void leave_hdf5_files_at_exit() { H5dont_atexit(); }

void silence_hdf5() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

std::string hdf5_reason() {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_description, &reason);
  return reason.empty() ? "no reason given" : system_reason(reason);
}

std::string hdf5_file_name(hid_t object) {
  std::array<char, 4096> name{};
  return H5Fget_name(object, name.data(), name.size()) < 0 ? "HDF5 file" : name.data();
}

std::string hdf5_object_name(hid_t object) {
  std::array<char, 4096> name{};
  return H5Iget_name(object, name.data(), name.size()) < 0 ? "?" : name.data();
}

void throw_hdf5_error(hid_t object, const std::string& action) {
  // Asking for names clears the stack.
  const std::string reason = hdf5_reason();
  throw InputError(fmt::format("{}: cannot {} ({}); check the file and the space on its disk", hdf5_file_name(object),
                               action, reason));
}

Hdf5Handle hdf5_checked(hid_t id, Hdf5Handle::Close close, hid_t object, const std::string& action) {
  if (id < 0) throw_hdf5_error(object, action);
  return Hdf5Handle(id, close);
}

void hdf5_checked(herr_t status, hid_t object, const std::string& action) {
  if (status < 0) throw_hdf5_error(object, action);
}

}  // namespace kvarium

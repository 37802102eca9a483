#pragma once

#include <hdf5.h>

#include <string>

#include "experiments/archive/hdf5_handle.hpp"

namespace kvarium {

/// Keeps HDF5 from printing its error stack; its reasons go into exceptions instead.
void silence_hdf5();

/// Keeps HDF5 from closing, at exit, files that were abandoned because their disk was full: it crashes then. To be
/// called before anything else of HDF5.
void leave_hdf5_files_at_exit();

/// The innermost reason on HDF5's error stack, or "no reason given".
std::string hdf5_reason();

/// Throws InputError "FILE: cannot ACTION (REASON); ..." for the file that `object` lies in.
[[noreturn]] void throw_hdf5_error(hid_t object, const std::string& action);

/// Owns `id`, which a call that needed `object` gave. Errors: InputError as throw_hdf5_error when it is negative.
Hdf5Handle hdf5_checked(hid_t id, Hdf5Handle::Close close, hid_t object, const std::string& action);

/// Errors: InputError as throw_hdf5_error when `status` is negative.
void hdf5_checked(herr_t status, hid_t object, const std::string& action);

/// Name of the file `object` lies in, and its path inside.
std::string hdf5_file_name(hid_t object);
std::string hdf5_object_name(hid_t object);

}  // namespace kvarium

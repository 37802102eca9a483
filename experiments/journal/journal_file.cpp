#include "experiments/journal/journal_file.hpp"

#include <fmt/format.h>

#include "core/check.hpp"
#include "experiments/archive/atomic_file.hpp"
#include "experiments/archive/hdf5_dataset.hpp"
#include "experiments/archive/hdf5_error.hpp"
#include "experiments/archive/hdf5_file.hpp"

namespace kvarium {

namespace {

/// How often a reader looks again at what the writer may be changing.
constexpr unsigned read_attempts = 5;

Hdf5Handle create_file(const std::filesystem::path& path) {
  silence_hdf5();
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  // Reading while writing needs this form; 1.10 is the oldest library that reads it.
  H5Pset_libver_bounds(access.get(), H5F_LIBVER_V110, H5F_LIBVER_V110);
  const Hdf5Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  H5Pset_link_creation_order(creation.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  Hdf5Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()), H5Fclose);
  if (file.is_valid()) return file;
  throw InputError(
      fmt::format("{}: cannot be written ({}); free space on the disk, choose another output, or set "
                  "HDF5_USE_FILE_LOCKING=FALSE where the file system has no locks",
                  path.string(), hdf5_reason()));
}

}  // namespace

Hdf5Handle create_journal_file(const std::filesystem::path& path, const std::function<void(hid_t)>& fill) {
  AtomicFile output(path);
  Hdf5Handle file = create_file(output.temporary());
  try {
    fill(file.get());
    hdf5_checked(H5Fstart_swmr_write(file.get()), file.get(), "begin the journal");
    hdf5_checked(H5Fflush(file.get(), H5F_SCOPE_LOCAL), file.get(), "write the journal");
    output.publish();
  } catch (const InputError& error) {
    // HDF5 1.10 crashes when it closes a file whose last bytes found no room on the disk.
    file.abandon();
    throw named_error(path, error);
  }
  return file;
}

Hdf5Handle open_journal_file(const std::filesystem::path& path) {
  silence_hdf5();
  check_readable_file(path);
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  // By default HDF5 waits for minutes for what a truncated file never will hold.
  H5Pset_metadata_read_attempts(access.get(), read_attempts);
  Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access.get()), H5Fclose);
  if (file.is_valid()) return file;
  const std::string reason = hdf5_reason();
  KVARIUM_VALIDATE(H5Fis_hdf5(path.c_str()) > 0, path.string(), ": not an HDF5 file; name one that is");
  throw InputError(
      fmt::format("{}: cannot be opened ({}); it is damaged, or no journal; move it away to run its points again",
                  path.string(), reason));
}

InputError named_error(const std::filesystem::path& journal, const InputError& error) {
  const std::string message = error.what();
  const std::size_t rest = message.find(": cannot");
  return InputError(rest == std::string::npos ? message : journal.string() + message.substr(rest));
}

void create_record_dataset(hid_t file, const std::string& path, hid_t type) {
  make_hdf5_group(file, path.substr(0, path.rfind('/')));
  const hsize_t none = 0;
  const hsize_t unlimited = H5S_UNLIMITED;
  const Hdf5Handle space(H5Screate_simple(1, &none, &unlimited), H5Sclose);
  const Hdf5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  // Characters come in larger numbers than rows.
  const hsize_t chunk = H5Tget_size(type) == 1 ? 16 * journal_chunk_rows : journal_chunk_rows;
  H5Pset_chunk(properties.get(), 1, &chunk);
  hdf5_checked(H5Dcreate2(file, path.c_str(), type, space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT), H5Dclose,
               file, "create dataset '" + path + "'");
}

}  // namespace kvarium

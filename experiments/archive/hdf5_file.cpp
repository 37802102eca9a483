#include "experiments/archive/hdf5_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/check.hpp"
#include "experiments/archive/hdf5_error.hpp"

namespace kvarium {

namespace {

/// Bytes by which a file in memory grows at once.
constexpr std::size_t image_growth = std::size_t{1} << 20U;

}  // namespace

void check_readable_file(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  KVARIUM_VALIDATE(std::filesystem::exists(status), path.string(), ": no such file; check the path");
  KVARIUM_VALIDATE(std::filesystem::is_regular_file(status), path.string(), ": not a file; name an HDF5 file");
  KVARIUM_VALIDATE(access(path.c_str(), R_OK) == 0, path.string(), ": cannot be read (", std::strerror(errno),
                   "); check its permissions");
}

Hdf5Handle open_hdf5_file(const std::filesystem::path& path) {
  silence_hdf5();
  check_readable_file(path);
  Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (file.is_valid()) return file;
  const std::string reason = hdf5_reason();
  KVARIUM_VALIDATE(H5Fis_hdf5(path.c_str()) > 0, path.string(), ": not an HDF5 file; name one that is");
  throw InputError(
      fmt::format("{}: cannot be opened ({}); it is damaged, truncated or still being written", path.string(), reason));
}

Hdf5Handle create_hdf5_image(const std::filesystem::path& name) {
  silence_hdf5();
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  // Of a newer superblock HDF5 1.10 gives an image with a wrong checksum: it clears a flag and sums no more.
  H5Pset_libver_bounds(access.get(), H5F_LIBVER_EARLIEST, H5F_LIBVER_V110);
  H5Pset_fapl_core(access.get(), image_growth, false);
  const Hdf5Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  H5Pset_link_creation_order(creation.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  H5Pset_attr_creation_order(creation.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  Hdf5Handle file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()), H5Fclose);
  if (file.is_valid()) return file;
  throw InputError(fmt::format("{}: cannot be built in memory ({}); free some", name.string(), hdf5_reason()));
}

std::vector<char> hdf5_image_bytes(const Hdf5Handle& image) {
  const std::string action = "build the file in memory";
  hdf5_checked(H5Fflush(image.get(), H5F_SCOPE_GLOBAL), image.get(), action);
  const ssize_t size = H5Fget_file_image(image.get(), nullptr, 0);
  if (size < 0) throw_hdf5_error(image.get(), action);
  std::vector<char> bytes(static_cast<std::size_t>(size));
  if (H5Fget_file_image(image.get(), bytes.data(), bytes.size()) < 0) throw_hdf5_error(image.get(), action);
  return bytes;
}

}  // namespace kvarium

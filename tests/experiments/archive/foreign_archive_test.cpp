#include <hdf5.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "experiments/archive/archive_reader.hpp"
#include "experiments/archive/archive_writer.hpp"
#include "experiments/archive/file_digest.hpp"
#include "experiments/archive/hdf5_attribute.hpp"
#include "experiments/archive/hdf5_dataset.hpp"
#include "experiments/archive/hdf5_handle.hpp"
#include "tests/experiments/archive/example_archive.hpp"
#include "tests/experiments/archive/temporary_folder.hpp"

using namespace kvarium;
using namespace kvarium::test;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Opens a written archive so that a test can damage it.
Hdf5Handle open_for_writing(const std::filesystem::path& path) {
  return Hdf5Handle(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
}

Hdf5Handle create_for_writing(const std::filesystem::path& path) {
  return Hdf5Handle(H5Fcreate(path.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
}

std::string reading_error(const std::filesystem::path& path) {
  return input_error_of([&] { read_archive(path); });
}

}  // namespace

TEST_CASE("an HDF5 file of another program is no archive", "[experiments][archive]") {
  const TemporaryFolder folder;
  create_for_writing(folder / "foreign.h5");

  CHECK_THAT(reading_error(folder / "foreign.h5"), ContainsSubstring("no kvarium archive"));
}

TEST_CASE("an archive of another major schema version is refused, of another minor one read",
          "[experiments][archive]") {
  const TemporaryFolder folder;
  write_archive(folder / "a", example_archive());
  write_attribute(create_for_writing(folder / "newer").get(), "schema_version", "2.0.0");
  {
    const Hdf5Handle file = open_for_writing(folder / "a");
    H5Adelete(file.get(), "schema_version");
    write_attribute(file.get(), "schema_version", "1.7.0");
  }

  CHECK_THAT(reading_error(folder / "newer"), ContainsSubstring("schema version 2.0.0") && ContainsSubstring("1.x"));
  CHECK(read_archive(folder / "a").title == "example");
}

TEST_CASE("columns of unequal length, unknown type or absurd size are refused by name", "[experiments][archive]") {
  const TemporaryFolder folder;
  write_archive(folder / "a", example_archive());
  const hsize_t rows = GENERATE(hsize_t{2}, hsize_t{3}, hsize_t{1} << 50U);
  const hid_t type = rows == 3 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
  {
    const Hdf5Handle file = open_for_writing(folder / "a");
    const Hdf5Handle space(H5Screate_simple(1, &rows, nullptr), H5Sclose);
    const Hdf5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    const hsize_t chunk = 2;
    H5Pset_chunk(properties.get(), 1, &chunk);
    H5Dclose(H5Dcreate2(file.get(), "/trials/odd", type, space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT));
  }

  CHECK_THAT(reading_error(folder / "a"), ContainsSubstring("/trials/odd"));
}

TEST_CASE("an archive without its configuration is refused", "[experiments][archive]") {
  const TemporaryFolder folder;
  write_archive(folder / "a", example_archive());
  H5Ldelete(open_for_writing(folder / "a").get(), "/config/yaml", H5P_DEFAULT);

  CHECK_THAT(reading_error(folder / "a"), ContainsSubstring("'yaml'"));
}

TEST_CASE("the digest of a file is its SHA-256 and size", "[experiments][archive]") {
  const TemporaryFolder folder;
  write_bytes(folder / "abc", "abc");

  const FileDigest digest = digest_file(folder / "abc");

  CHECK(digest.bytes == 3);
  // FIPS 180-4, example for "abc".
  CHECK(digest.sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK_THAT(input_error_of([&] { digest_file(folder / "absent"); }), ContainsSubstring("absent"));
}

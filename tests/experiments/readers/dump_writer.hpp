#pragma once

#include <hdf5.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace kvarium::test {

/// One dataset of a model dump: all elements have the value `value`.
struct DumpArray {
  std::vector<hsize_t> shape;
  hid_t type = H5T_NATIVE_FLOAT;
  double value = 0;
};

/// A model dump to write, right unless a test changes it; an absent member is left out of the file.
struct DumpFile {
  DumpFile();

  std::optional<DumpArray> key;
  std::optional<DumpArray> value;
  std::optional<DumpArray> query;
  std::optional<DumpArray> token_ids;
  std::optional<std::string> model = "tiny";
  std::optional<std::string> element_type = "float32";
  std::optional<double> scale = 0.25;
};

/// Writes with HDF5 alone, none of the code under test.
void write_dump(const std::filesystem::path& path, const DumpFile& dump);

}  // namespace kvarium::test

#include "experiments/archive/config_groups.hpp"

#include <fmt/format.h>

#include "experiments/archive/hdf5_attribute.hpp"
#include "experiments/archive/hdf5_dataset.hpp"
#include "experiments/archive/hdf5_error.hpp"

namespace kvarium {

namespace {

Hdf5Handle open_group(hid_t file, const std::string& path) {
  return hdf5_checked(H5Gopen2(file, path.c_str(), H5P_DEFAULT), H5Gclose, file, "open group '" + path + "'");
}

std::string run_path(std::size_t run) { return fmt::format("/provenance/run_{}", run); }

}  // namespace

void write_config_group(hid_t file, const ArchivedConfig& config) {
  const Hdf5Handle group = make_hdf5_group(file, "/config");
  write_hdf5_text(group.get(), "yaml", config.yaml);
  write_hdf5_text(group.get(), "resolved_json", config.resolved_json);
  write_hdf5_text(group.get(), "plan_json", config.plan_json);
  write_hdf5_texts(group.get(), "argv", config.arguments);
  write_hdf5_texts(group.get(), "overrides", config.overrides);
}

ArchivedConfig read_config_group(hid_t file) {
  const Hdf5Handle group = open_group(file, "/config");
  return {read_hdf5_text(group.get(), "yaml"), read_hdf5_text(group.get(), "resolved_json"),
          read_hdf5_text(group.get(), "plan_json"), read_hdf5_texts(group.get(), "argv"),
          read_hdf5_texts(group.get(), "overrides")};
}

void write_provenance_groups(hid_t file, const std::vector<RunProvenance>& runs) {
  make_hdf5_group(file, "/provenance");
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const Hdf5Handle group = make_hdf5_group(file, run_path(run));
    for (const auto& [name, value] : runs[run]) write_attribute(group.get(), name, value);
  }
}

std::vector<RunProvenance> read_provenance_groups(hid_t file) {
  std::vector<RunProvenance> runs;
  while (H5Lexists(file, run_path(runs.size()).c_str(), H5P_DEFAULT) > 0) {
    runs.push_back(read_attributes(open_group(file, run_path(runs.size())).get()));
  }
  return runs;
}

}  // namespace kvarium

#include "experiments/archive/archive_reader.hpp"

#include <sstream>

#include "core/check.hpp"
#include "experiments/archive/config_groups.hpp"
#include "experiments/archive/hdf5_attribute.hpp"
#include "experiments/archive/hdf5_error.hpp"
#include "experiments/archive/hdf5_file.hpp"
#include "experiments/archive/hdf5_probe.hpp"
#include "experiments/archive/table_groups.hpp"

namespace kvarium {

namespace {

std::string major_of(std::string_view version) { return std::string(version.substr(0, version.find('.'))); }

void check_version(hid_t file, const std::filesystem::path& path) {
  const std::optional<std::string> version = read_text_attribute(file, "schema_version");
  KVARIUM_VALIDATE(version.has_value(), path.string(),
                   ": an HDF5 file but no kvarium archive (no attribute 'schema_version'); name an archive");
  KVARIUM_VALIDATE(major_of(*version) == major_of(archive_schema_version), path.string(),
                   ": archive of schema version ", *version, ", and this program reads ",
                   major_of(archive_schema_version), ".x; use the kvarium version that wrote it");
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

struct TablePaths {
  hid_t file;
  std::vector<std::string> paths;
};

/// A table is a group with a `derived` attribute, which every table has.
herr_t collect_table(hid_t object, const char* name, const H5O_info_t* information, void* collected) {
  auto& tables = *static_cast<TablePaths*>(collected);
  if (information->type != H5O_TYPE_GROUP || std::string_view(name) == ".") return 0;
  const Hdf5Handle group(H5Gopen2(object, name, H5P_DEFAULT), H5Gclose);
  if (has_attribute(group.get(), "derived")) tables.paths.push_back("/" + std::string(name));
  return 0;
}

std::vector<Table> read_tables(hid_t file) {
  TablePaths found{file, {}};
  hdf5_checked(H5Ovisit1(file, H5_INDEX_NAME, H5_ITER_INC, collect_table, &found), file, "list the tables");
  std::vector<Table> tables;
  for (const std::string& path : found.paths) tables.push_back(read_table(file, path));
  return tables;
}

ArchiveContent read_content(const std::filesystem::path& path) {
  const Hdf5Handle file = open_hdf5_file(path);
  check_version(file.get(), path);
  ArchiveContent content;
  content.title = read_text_attribute(file.get(), "title").value_or("");
  content.created = read_text_attribute(file.get(), "created").value_or("");
  content.history = lines_of(read_text_attribute(file.get(), "history").value_or(""));
  content.complete = read_integer_attribute(file.get(), "complete").value_or(0) != 0;
  content.default_table = read_text_attribute(file.get(), "default").value_or("/trials");
  content.config = read_config_group(file.get());
  content.runs = read_provenance_groups(file.get());
  content.tables = read_tables(file.get());
  return content;
}

}  // namespace

ArchiveContent read_archive(const std::filesystem::path& path) {
  probe_hdf5(path, [&] { read_content(path); });
  return read_content(path);
}

}  // namespace kvarium

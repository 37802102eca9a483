#include "experiments/archive/archive_writer.hpp"

#include <array>

#include "core/text.hpp"
#include "experiments/archive/atomic_file.hpp"
#include "experiments/archive/config_groups.hpp"
#include "experiments/archive/hdf5_attribute.hpp"
#include "experiments/archive/hdf5_file.hpp"
#include "experiments/archive/table_groups.hpp"

namespace kvarium {

namespace {

void write_root(hid_t file, const ArchiveContent& content) {
  write_attribute(file, "Conventions", "CF-1.10 kvarium-1.0");
  write_attribute(file, "schema_version", archive_schema_version);
  write_attribute(file, "title", content.title);
  write_attribute(file, "created", content.created);
  write_attribute(file, "history", join(content.history, "\n"));
  write_array_attribute<std::int8_t>(file, "complete", std::array{static_cast<std::int8_t>(content.complete)});
  write_attribute(file, "default", content.default_table);
}

void write_content(hid_t file, const ArchiveContent& content) {
  write_root(file, content);
  write_config_group(file, content.config);
  write_provenance_groups(file, content.runs);
  for (const Table& table : content.tables) {
    if (table.num_columns() > 0) write_table(file, table);
  }
}

}  // namespace

void write_archive(const std::filesystem::path& path, const ArchiveContent& content) {
  AtomicFile output(path);
  const Hdf5Handle image = create_hdf5_image(path);
  write_content(image.get(), content);
  output.write(hdf5_image_bytes(image));
  output.publish();
}

}  // namespace kvarium

#include "experiments/archive/archive_writer.hpp"

#include <fmt/format.h>

#include <array>

#include "core/text.hpp"
#include "experiments/archive/atomic_file.hpp"
#include "experiments/archive/hdf5_attribute.hpp"
#include "experiments/archive/hdf5_dataset.hpp"
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

void write_config(hid_t file, const ArchivedConfig& config) {
  const Hdf5Handle group = make_hdf5_group(file, "/config");
  write_hdf5_text(group.get(), "yaml", config.yaml);
  write_hdf5_text(group.get(), "resolved_json", config.resolved_json);
  write_hdf5_text(group.get(), "plan_json", config.plan_json);
  write_hdf5_texts(group.get(), "argv", config.arguments);
  write_hdf5_texts(group.get(), "overrides", config.overrides);
}

void write_provenance(hid_t file, const std::vector<RunProvenance>& runs) {
  make_hdf5_group(file, "/provenance");
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const Hdf5Handle group = make_hdf5_group(file, fmt::format("/provenance/run_{}", run));
    for (const auto& [name, value] : runs[run]) write_attribute(group.get(), name, value);
  }
}

void write_content(hid_t file, const ArchiveContent& content) {
  write_root(file, content);
  write_config(file, content.config);
  write_provenance(file, content.runs);
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

#include "experiments/run/stored_results.hpp"

#include <utility>

#include "experiments/archive/archive_reader.hpp"
#include "experiments/kinds/experiment_kind.hpp"
#include "experiments/run/archived_config.hpp"
#include "experiments/run/archived_folder.hpp"
#include "experiments/run/restore_results.hpp"

namespace kvarium {

StoredResults read_results(const std::filesystem::path& archive) {
  const std::string place = archive.string();
  ArchiveContent content = read_archive(archive);
  Plan plan = archived_plan(place, content.config, archived_folder(archive, content.runs));
  KindSchema schema = experiment_kinds().at(plan.experiment().point.kind).schema();
  ResultTables results = restore_results(place, content, plan, schema);
  return {std::move(content), std::move(plan), std::move(schema), std::move(results)};
}

}  // namespace kvarium

#include "experiments/plan/load_experiment.hpp"

#include "core/check.hpp"
#include "experiments/config/cross_checks.hpp"
#include "experiments/config/override_reader.hpp"
#include "experiments/config/section_reader.hpp"
#include "experiments/kinds/experiment_kind.hpp"
#include "experiments/plan/merged_document.hpp"
#include "experiments/plan/sweep_checks.hpp"
#include "experiments/plan/sweep_reader.hpp"
#include "experiments/tuning/point_variant.hpp"
#include "experiments/yaml/text_file.hpp"

namespace kvarium {
namespace {

/// Without a sweep there is one point, and a file whose only point cannot run is wrong.
void check_only_point(ExperimentReading& reading) {
  if (!reading.experiment.sweep.empty()) return;
  const PointConfig& point = reading.experiment.point;
  const VariantChoice choice = point_variant(point, SpillCheck::skip);
  if (const auto reason = experiment_kinds().at(point.kind).refusal(with_variant(point, choice.variant))) {
    reading.errors.add(reading.document, *reason);
  }
}

/// As given: archives name the files read by it, and one that is kept must not hold where a machine keeps its folders.
std::filesystem::path folder_of(const std::filesystem::path& file) {
  std::error_code error;
  static_cast<void>(std::filesystem::absolute(file, error));
  KVARIUM_VALIDATE(!error, file.string(), ": the folder it is named from is gone (", error.message(),
                   "); change to one that exists");
  return file.parent_path();
}

}  // namespace

ExperimentConfig parse_experiment(const ExperimentSource& source) {
  ExperimentReading reading;
  reading.document = {source.file, 1, 1};
  ExperimentConfig& experiment = reading.experiment;
  experiment.file = source.file;
  experiment.overrides = source.overrides;
  experiment.point.folder = source.folder.string();

  const MergedDocument document = read_merged(source, reading.errors);
  read_section(document.node, "", reading);
  if (const YamlNode* sweep = document.node.find("sweep")) read_sweep(*sweep, reading);
  for (const std::string& assignment : source.overrides) read_override(assignment, reading);
  require_keys(reading);
  check_sweep(reading);
  // A value that could not be read leaves its default, and complaints about combinations with that would mislead.
  if (reading.errors.empty()) check_across_keys(reading);
  if (reading.errors.empty()) check_only_point(reading);
  reading.errors.throw_if_any();
  experiment.yaml_text = whole_text(source, document);
  return experiment;
}

ExperimentConfig load_experiment(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  return parse_experiment({read_text_file(file), file.string(), folder_of(file), overrides});
}

}  // namespace kvarium

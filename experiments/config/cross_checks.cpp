#include "experiments/config/cross_checks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/config/combination_rules.hpp"
#include "experiments/config/source_path.hpp"
#include "experiments/yaml/quoted_text.hpp"

namespace kvarium {
namespace {

bool is_swept(const CombinationRule& rule, const ExperimentReading& reading) {
  return std::any_of(rule.paths.begin(), rule.paths.end(),
                     [&](const std::string& path) { return reading.swept.contains(path); });
}

/// Where the first of the rule's keys that has a value was given it.
Place place_of(const CombinationRule& rule, const ExperimentReading& reading) {
  for (const std::string& path : rule.paths) {
    const auto place = reading.places.find("base." + path);
    if (place != reading.places.end()) return place->second;
  }
  return reading.document;
}

void check_source(const std::string& source, const Place& place, ExperimentReading& reading) {
  if (is_generated(source)) return;
  const std::filesystem::path path = source_path(source, reading.experiment.point.folder);
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored)) return;
  reading.errors.add(place, fmt::format("source {} is no file ({})", quote(source), path.string()),
                     "write synthetic, random_bits, or the path of a model dump relative to the YAML file");
}

void check_sources(ExperimentReading& reading) {
  const auto swept = reading.swept.find("cache.source");
  if (swept == reading.swept.end()) {
    const auto place = reading.places.find("base.cache.source");
    if (place != reading.places.end()) check_source(reading.experiment.point.base.cache.source, place->second, reading);
    return;
  }
  const ExperimentConfig& experiment = reading.experiment;
  for (const FieldValue& value : values_of(experiment.sweep, "cache.source", experiment.point.base.cache.source)) {
    check_source(std::get<std::string>(value), swept->second, reading);
  }
}

}  // namespace

void check_across_keys(ExperimentReading& reading) {
  for (const CombinationRule& rule : combination_rules()) {
    if (is_swept(rule, reading)) continue;
    if (const auto problem = rule.problem(reading.experiment.point.base)) {
      reading.errors.add(place_of(rule, reading), *problem);
    }
  }
  check_sources(reading);
}

}  // namespace kvarium

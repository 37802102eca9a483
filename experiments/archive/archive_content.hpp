#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/results/table.hpp"
#include "experiments/results/value.hpp"

namespace kvarium {

/// Version of the archive's layout (semantic versioning): a reader refuses another major number.
inline constexpr std::string_view archive_schema_version = "1.1.0";

/// What an archive keeps of the experiment's configuration.
struct ArchivedConfig {
  std::string yaml;           ///< text of the file, as read
  std::string resolved_json;  ///< every key with its value, defaults filled in
  std::string plan_json;      ///< what identifies the plan
  std::vector<std::string> arguments;
  std::vector<std::string> overrides;

  bool operator==(const ArchivedConfig&) const = default;
};

/// Facts about one run that added to the archive, in the order they are shown.
using RunProvenance = std::vector<std::pair<std::string, Value>>;

/// Everything an archive holds.
struct ArchiveContent {
  std::string title;
  std::string created;               ///< UTC, ISO 8601
  std::vector<std::string> history;  ///< one line per run
  bool complete = false;
  std::string default_table = "/trials";
  ArchivedConfig config;
  std::vector<RunProvenance> runs;
  std::vector<Table> tables;

  /// The table at `path`, or nullptr.
  const Table* find_table(std::string_view path) const;

  bool operator==(const ArchiveContent&) const = default;
};

}  // namespace kvarium

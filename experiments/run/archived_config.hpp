#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "experiments/archive/archive_content.hpp"
#include "experiments/plan/plan.hpp"

namespace kvarium {

/// JSON that an archive holds; null when it is damaged, or nested deeper than this program ever writes it (what walks
/// it recurses once a level).
nlohmann::ordered_json archived_json(const std::string& text);

/// What an archive of the plan keeps of its configuration.
ArchivedConfig archived_config(const Plan& plan, const std::vector<std::string>& arguments);

/// The plan of an archive, made again from its YAML text and overrides; `folder` is what paths in it are relative to.
/// Errors: InputError (beginning with `place`) when the text no longer gives the plan the archive names.
Plan archived_plan(const std::string& place, const ArchivedConfig& config, const std::filesystem::path& folder);

/// Fingerprint of the plan the archive was made for. Errors: InputError (beginning with `place`) when it is damaged.
std::string archived_fingerprint(const std::string& place, const ArchivedConfig& config);

/// "KEY: VALUE in the archive, VALUE in the file" for each key that differs between two resolved configurations.
/// Precondition: `current` is JSON; an `archived` that is no JSON object gives one line that says so.
std::vector<std::string> config_differences(const std::string& archived, const std::string& current);

}  // namespace kvarium

#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "experiments/archive/archive_content.hpp"

namespace kvarium {

/// What an archive is, its plan, status counts, tables and columns with units, and provenance, for programs.
nlohmann::ordered_json archive_summary(const std::filesystem::path& path, const ArchiveContent& content);

/// The same in words.
std::string archive_summary_text(const nlohmann::ordered_json& summary);

}  // namespace kvarium

#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "experiments/archive/archive_content.hpp"

namespace kvarium {

/// The fact of a run that names the YAML file as the user gave it: relative, if that was relative.
inline constexpr std::string_view configuration_file_fact = "configuration_file";

/// The folder in which the YAML file of the archive's last run lies, which paths in it are relative to. The file is
/// looked for from the current folder, then from that of `archive`, then from each folder above that; where it is
/// found nowhere, the answer is as recorded.
std::filesystem::path archived_folder(const std::filesystem::path& archive, const std::vector<RunProvenance>& runs);

}  // namespace kvarium

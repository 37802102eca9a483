#include "experiments/run/archived_folder.hpp"

namespace kvarium {

namespace {

std::filesystem::path recorded_file(const std::vector<RunProvenance>& runs) {
  if (runs.empty()) return {};
  for (const auto& [name, value] : runs.back()) {
    if (name == configuration_file_fact) return to_string(value);
  }
  return {};
}

}  // namespace

std::filesystem::path archived_folder(const std::filesystem::path& archive, const std::vector<RunProvenance>& runs) {
  const std::filesystem::path file = recorded_file(runs);
  std::error_code ignored;
  if (std::filesystem::is_regular_file(file, ignored)) return file.parent_path();
  std::filesystem::path start = std::filesystem::absolute(archive, ignored).lexically_normal();
  while (start.has_relative_path()) {
    start = start.parent_path();
    if (std::filesystem::is_regular_file(start / file, ignored)) return (start / file).parent_path();
  }
  return file.parent_path();
}

}  // namespace kvarium

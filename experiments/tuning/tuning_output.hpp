#pragma once

#include <filesystem>
#include <string>

namespace kvarium {

/// Name of a new archive in the tuning folder, NAME.TIME.kv.h5, that no file has yet.
/// Errors: InputError where there is no tuning folder.
std::filesystem::path new_tuning_path(const std::string& name);

}  // namespace kvarium

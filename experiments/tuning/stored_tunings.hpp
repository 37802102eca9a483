#pragma once

#include <filesystem>
#include <vector>

#include "kernels/attention/variant_choice.hpp"

namespace kvarium {

/// Folder of the tuning archives, ${KVARIUM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/kvarium}/tunings, or an empty path
/// where none of the three is set.
std::filesystem::path tuning_folder();

/// Everything measured in the tuning folder on this device with this version of kvarium (cuda: the same device sources
/// and compiler too), newest archive first; nothing of other devices and versions. Read again when the folder has
/// changed. Errors: InputError, one line, for a file *.kv.h5 that is damaged or no tuning.
std::vector<TunedVariant> stored_tunings(Device device);

/// The same of one archive. Of an unfinished archive, shapes that were measured whole. Errors as above.
std::vector<TunedVariant> read_tuning(const std::filesystem::path& path, Device device);

}  // namespace kvarium

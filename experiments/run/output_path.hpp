#pragma once

#include <filesystem>

#include "experiments/plan/plan.hpp"

namespace kvarium {

/// The archive a run writes: `named`, or results/NAME.kv.h5 where that is empty. A symbolic link stands for the file it
/// leads to, which is then the one that is locked, continued and replaced.
/// Errors: InputError when `named` is a folder's name.
std::filesystem::path output_path(const std::filesystem::path& named, const Plan& plan);

}  // namespace kvarium

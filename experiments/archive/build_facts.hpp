#pragma once

#include "experiments/archive/archive_content.hpp"

namespace kvarium {

/// What this program was built from and with: version, commit ("unknown" outside a git checkout), whether tracked files
/// differed from it (0, 1; -1 unknown), build type, compiler, its flags.
RunProvenance build_facts();

}  // namespace kvarium

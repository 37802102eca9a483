#pragma once

#include "experiments/archive/archive_content.hpp"

namespace kvarium::test {

/// A small archive with every column type, missing values, NaN, non-ASCII text, a table without rows and one in a group
/// of another.
ArchiveContent example_archive();

}  // namespace kvarium::test

#pragma once

#include <string>

#include "experiments/archive/archive_content.hpp"
#include "experiments/plan/plan.hpp"
#include "experiments/run/result_tables.hpp"

namespace kvarium {

/// The finished points of an archive of the same plan, every row as it was; points are matched by their ids.
/// Errors: InputError (beginning with `place`) when tables are missing, damaged, or of other columns than the kind's.
ResultTables restore_results(const std::string& place, const ArchiveContent& archive, const Plan& plan,
                             const KindSchema& schema);

}  // namespace kvarium

#pragma once

#include "experiments/journal/journal_reader.hpp"
#include "experiments/plan/plan.hpp"
#include "experiments/run/result_tables.hpp"

namespace kvarium {

/// Adds the whole points of a journal that `results` does not hold yet; `run`: the journal's run in the archive's
/// provenance. Returns how many points it added.
std::int64_t restore_journal(const JournalRows& journal, const Plan& plan, std::int64_t run, ResultTables& results);

}  // namespace kvarium

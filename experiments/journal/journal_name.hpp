#pragma once

#include <filesystem>
#include <vector>

namespace kvarium {

/// Journal `number` (from 1) of the runs that write the archive `output`: results/NAME.1.kvj.h5 of
/// results/NAME.kv.h5.
std::filesystem::path journal_path(const std::filesystem::path& output, int number);

/// The journals that lie beside `output`, by number.
std::vector<std::filesystem::path> find_journals(const std::filesystem::path& output);

/// A path for one more journal.
std::filesystem::path next_journal_path(const std::filesystem::path& output);

/// Removes journals whose points an archive holds.
void remove_journals(const std::vector<std::filesystem::path>& journals);

/// Gives a damaged journal a name under which no run reads it any more, NAME.damaged or NAME.damaged.N, and returns it.
std::filesystem::path set_journal_aside(const std::filesystem::path& journal);

/// Whether a file is named as journals are.
bool is_journal_name(const std::filesystem::path& file);

/// The archive that a journal of this name is written for. Precondition: is_journal_name(journal).
std::filesystem::path archive_of_journal(const std::filesystem::path& journal);

}  // namespace kvarium

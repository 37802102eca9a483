#include "experiments/run/output_state.hpp"

#include <fmt/format.h>

#include "core/check.hpp"
#include "experiments/archive/archive_reader.hpp"
#include "experiments/journal/journal_name.hpp"
#include "experiments/journal/journal_reader.hpp"
#include "experiments/run/archived_config.hpp"
#include "experiments/run/input_files.hpp"
#include "experiments/run/restore_journal.hpp"
#include "experiments/run/restore_results.hpp"

namespace kvarium {

namespace {

ArchiveContent read_previous(const std::filesystem::path& output) {
  try {
    return read_archive(output);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}\n{}: left as it is; choose another output", error.what(), output.string()));
  }
}

void check_same_plan(const std::string& place, const ArchivedConfig& archived, const Plan& plan) {
  if (archived_fingerprint(place, archived) == plan.fingerprint()) return;
  std::string message = place + ": holds another plan; choose another output, or change back what differs:";
  for (const std::string& line : config_differences(archived.resolved_json, archived_config(plan, {}).resolved_json)) {
    message += "\n  " + line;
  }
  throw InputError(message);
}

OutputState archived_state(const std::filesystem::path& output, const Plan& plan, const KindSchema& schema,
                           const std::vector<FileDigest>& inputs) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::symlink_status(output, ignored);
  if (!std::filesystem::exists(status)) return {{}, ResultTables(schema, plan.num_points())};
  const std::string place = output.string();
  ArchiveContent previous = read_previous(output);
  check_same_plan(place, previous.config, plan);
  check_same_inputs(place, previous.runs, inputs);
  ResultTables results = restore_results(place, previous, plan, schema);
  previous.tables.clear();
  return {std::move(previous), std::move(results)};
}

/// The facts of a run that could not say how it ended.
RunProvenance killed_run(RunProvenance run) {
  for (auto& [name, value] : run) {
    if (name == "exit_reason") value = "killed; its journal was read";
  }
  return run;
}

void add_journal(const std::filesystem::path& path, const Plan& plan, const KindSchema& schema,
                 const std::vector<FileDigest>& inputs, OutputState& state) {
  const JournalHeader header = read_journal_header(path);
  check_same_plan(path.string(), header.config, plan);
  check_same_inputs(path.string(), {header.run}, inputs);
  JournalRows rows = read_journal_rows(path, schema);
  (rows.is_damaged ? state.damaged_journals : state.journals).push_back(path);
  state.cuts.insert(state.cuts.end(), rows.cuts.begin(), rows.cuts.end());
  ArchiveContent& previous = state.previous;
  const auto run = static_cast<std::int64_t>(previous.runs.size());
  // An archive that was written just before the kill holds them already.
  if (restore_journal(rows, plan, run, state.results) == 0) return;
  previous.runs.push_back(killed_run(header.run));
  previous.history.push_back(header.history);
  if (previous.created.empty()) previous.created = header.created;
}

}  // namespace

void finish_journals(const OutputState& state) {
  remove_journals(state.journals);
  for (const std::filesystem::path& journal : state.damaged_journals) {
    fmt::print(stderr, "{}: kept as {}\n", journal.string(), set_journal_aside(journal).string());
  }
}

OutputState examine_output(const std::filesystem::path& output, const Plan& plan, const KindSchema& schema,
                           const std::vector<FileDigest>& inputs) {
  OutputState state = archived_state(output, plan, schema, inputs);
  for (const std::filesystem::path& journal : find_journals(output)) add_journal(journal, plan, schema, inputs, state);
  return state;
}

}  // namespace kvarium

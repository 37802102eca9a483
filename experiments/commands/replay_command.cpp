#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "experiments/commands/command.hpp"
#include "experiments/run/runner.hpp"
#include "experiments/yaml/quoted_text.hpp"

namespace kvarium {
namespace {

struct ReplayArguments {
  std::filesystem::path archive;
  std::int64_t trial = 0;
  bool as_json = false;
};

/// What is wrong with the text given for --trial, or "".
std::string trial_problem(const std::string& text) {
  constexpr std::size_t most_digits = 18;  // all of them fit an int64
  const bool is_number = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  if (is_number && text.size() <= most_digits) return "";
  return fmt::format("{} is no row of /trials; write a whole number from 0 on", quote(text));
}

}  // namespace

void add_replay_command(CLI::App& program, Selection& selection) {
  CLI::App* command = program.add_subcommand("replay", "Run one stored trial again and compare it with its row");
  const auto arguments = std::make_shared<ReplayArguments>();
  command->add_option("FILE", arguments->archive, "Archive, as kvarium run writes it")->required();
  command->add_option("--trial", arguments->trial, "Row of /trials, from 0")->required()->check(trial_problem);
  command->add_flag("--json", arguments->as_json, "Print JSON");
  command->callback([arguments, &selection] {
    selection.uses_kokkos = true;
    selection.action = [arguments] {
      return replay_trial(arguments->archive, arguments->trial,
                          arguments->as_json ? OutputForm::json : OutputForm::text);
    };
  });
}

}  // namespace kvarium

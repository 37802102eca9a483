#include <CLI/CLI.hpp>
#include <memory>

#include "experiments/commands/command.hpp"
#include "experiments/run/runner.hpp"

namespace kvarium {
namespace {

struct ReplayArguments {
  std::filesystem::path archive;
  std::int64_t trial = 0;
  bool as_json = false;
};

}  // namespace

void add_replay_command(CLI::App& program, Selection& selection) {
  CLI::App* command = program.add_subcommand("replay", "Run one stored trial again and compare it with its row");
  const auto arguments = std::make_shared<ReplayArguments>();
  command->add_option("FILE", arguments->archive, "Archive, as kvarium run writes it")->required();
  command->add_option("--trial", arguments->trial, "Row of /trials, from 0")->required()->check(CLI::NonNegativeNumber);
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

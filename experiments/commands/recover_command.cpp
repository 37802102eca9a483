#include <CLI/CLI.hpp>
#include <memory>

#include "experiments/commands/command.hpp"
#include "experiments/run/runner.hpp"

namespace kvarium {

void add_recover_command(CLI::App& program, Selection& selection) {
  CLI::App* command = program.add_subcommand("recover", "Make an archive of the journals that killed runs have left");
  const auto file = std::make_shared<std::filesystem::path>();
  command->add_option("FILE", *file, "Output of the run, or a journal beside it")->required();
  command->callback([file, &selection] {
    selection.action = [file, &selection] { return recover_archive(*file, selection.arguments); };
  });
}

}  // namespace kvarium

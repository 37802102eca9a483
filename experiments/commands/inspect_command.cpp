#include <CLI/CLI.hpp>
#include <memory>

#include "experiments/commands/command.hpp"
#include "experiments/run/runner.hpp"

namespace kvarium {
namespace {

struct InspectArguments {
  std::filesystem::path archive;
  bool as_json = false;
};

}  // namespace

void add_inspect_command(CLI::App& program, Selection& selection) {
  CLI::App* command = program.add_subcommand("inspect", "Show what an archive holds and how it was made");
  const auto arguments = std::make_shared<InspectArguments>();
  command->add_option("FILE", arguments->archive, "Archive, as kvarium run writes it")->required();
  command->add_flag("--json", arguments->as_json, "Print JSON");
  command->callback([arguments, &selection] {
    selection.action = [arguments] {
      return inspect_archive(arguments->archive, arguments->as_json ? OutputForm::json : OutputForm::text);
    };
  });
}

}  // namespace kvarium

#include <CLI/CLI.hpp>
#include <memory>

#include "experiments/commands/command.hpp"
#include "experiments/report/report.hpp"

namespace kvarium {
namespace {

struct ReportArguments {
  std::filesystem::path archive;
  bool as_json = false;
};

}  // namespace

void add_report_command(CLI::App& program, Selection& selection) {
  CLI::App* command = program.add_subcommand("report", "Print the tables that an archive answers with");
  const auto arguments = std::make_shared<ReportArguments>();
  command->add_option("FILE", arguments->archive, "Archive, as kvarium run writes it")->required();
  command->add_flag("--json", arguments->as_json, "Print JSON");
  command->callback([arguments, &selection] {
    selection.action = [arguments] {
      return report_archive(arguments->archive, arguments->as_json ? OutputForm::json : OutputForm::text);
    };
  });
}

}  // namespace kvarium

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "experiments/commands/command.hpp"
#include "experiments/commands/listings.hpp"
#include "experiments/plan/experiment_schema.hpp"

namespace kvarium {
namespace {

void add_listing(CLI::App& list, const Listing& listing, Selection& selection) {
  CLI::App* command = list.add_subcommand(listing.name, listing.description);
  const auto as_json = std::make_shared<bool>(false);
  command->add_flag("--json", *as_json, "Print JSON");
  command->callback([&listing, as_json, &selection] {
    selection.action = [&listing, as_json] {
      const nlohmann::ordered_json rows = listing.rows();
      fmt::print("{}", *as_json ? rows.dump(2) + "\n" : listing_text(rows));
      return 0;
    };
  });
}

/// No table, but a document for other programs.
void add_schema(CLI::App& list, Selection& selection) {
  CLI::App* command = list.add_subcommand("schema", "The form of experiment files as JSON Schema, for editors");
  command->callback([&selection] {
    selection.action = [] {
      fmt::print("{}\n", experiment_schema_json().dump(1));
      return 0;
    };
  });
}

}  // namespace

void add_list_command(CLI::App& program, Selection& selection) {
  CLI::App* list = program.add_subcommand("list", "Show what this build knows");
  list->require_subcommand(1);
  for (const Listing& listing : listings()) add_listing(*list, listing, selection);
  add_schema(*list, selection);
}

}  // namespace kvarium

#include "experiments/commands/argument_problems.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <vector>

#include "experiments/config/value_reader.hpp"
#include "experiments/yaml/quoted_text.hpp"

namespace kvarium {
namespace {

/// The command that was named, with the words that lead to it.
struct NamedCommand {
  const CLI::App* app = nullptr;
  std::string words = "kvarium";
};

NamedCommand named_command(const CLI::App& program) {
  NamedCommand command{&program};
  while (!command.app->get_subcommands().empty()) {
    command.app = command.app->get_subcommands().front();
    command.words += " " + command.app->get_name();
  }
  return command;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> command_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* known : command.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(known->get_name());
  }
  return names;
}

/// The first unknown option, or else the first word too many.
std::optional<std::string> unknown_word(const CLI::App& program) {
  const std::vector<std::string> words = program.remaining(true);
  const auto option = std::find_if(words.begin(), words.end(), [](const auto& word) { return word.starts_with('-'); });
  if (option != words.end()) return *option;
  return words.empty() ? std::nullopt : std::optional(words.front());
}

std::string unknown_problem(const std::string& word, const CLI::App& command) {
  if (word.starts_with('-'))
    return fmt::format("unknown option {}; {}", quote(word), suggest(word, option_names(command)));
  const std::vector<std::string> commands = command_names(command);
  if (!commands.empty()) return fmt::format("unknown command {}; {}", quote(word), suggest(word, commands));
  return fmt::format("{} is one word too many; remove it, or put a text with spaces in quotes", quote(word));
}

}  // namespace

std::string argument_problem(const CLI::App& program, const CLI::ParseError& error) {
  const NamedCommand command = named_command(program);
  const std::optional<std::string> word = unknown_word(program);
  return fmt::format("{}; see '{} --help'", word ? unknown_problem(*word, *command.app) : error.what(), command.words);
}

}  // namespace kvarium

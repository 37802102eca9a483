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
  ReplaySample sample;
  bool as_json = false;
};

/// Whether a text is a whole number from 0 on that fits an int64.
bool is_count(const std::string& text) {
  constexpr std::size_t most_digits = 18;
  const bool is_number = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  return is_number && text.size() <= most_digits;
}

/// What is wrong with the text given for --trial, or "".
std::string trial_problem(const std::string& text) {
  if (is_count(text)) return "";
  return fmt::format("{} is no row of /trials; write a whole number from 0 on", quote(text));
}

/// The same for --sample.
std::string sample_problem(const std::string& text) {
  if (is_count(text) && text.find_first_not_of('0') != std::string::npos) return "";
  return fmt::format("{} is no number of trials; write a whole number from 1 on", quote(text));
}

/// The same for --seed.
std::string seed_problem(const std::string& text) {
  if (is_count(text)) return "";
  return fmt::format("{} is no seed; write a whole number from 0 on", quote(text));
}

int replay(const ReplayArguments& arguments) {
  const OutputForm form = arguments.as_json ? OutputForm::json : OutputForm::text;
  if (arguments.sample.count > 0) return replay_sample(arguments.archive, arguments.sample, form);
  return replay_trial(arguments.archive, arguments.trial, form);
}

}  // namespace

void add_replay_command(CLI::App& program, Selection& selection) {
  CLI::App* command = program.add_subcommand("replay", "Run stored trials again and compare them with their rows");
  const auto arguments = std::make_shared<ReplayArguments>();
  command->add_option("FILE", arguments->archive, "Archive, as kvarium run writes it")->required();
  CLI::Option_group* trials = command->add_option_group("Trials", "--trial or --sample");
  trials->add_option("--trial", arguments->trial, "Row of /trials, from 0")->check(trial_problem);
  CLI::Option* sample =
      trials->add_option("--sample", arguments->sample.count, "This many rows at random")->check(sample_problem);
  trials->require_option(1);
  command->add_option("--seed", arguments->sample.seed, "Seed of --sample")->check(seed_problem)->needs(sample);
  command->add_flag("--json", arguments->as_json, "Print JSON");
  command->callback([arguments, &selection] {
    selection.uses_kokkos = true;
    selection.action = [arguments] { return replay(*arguments); };
  });
}

}  // namespace kvarium

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "experiments/config/experiment_json.hpp"
#include "experiments/plan/load_experiment.hpp"
#include "experiments/plan/plan.hpp"

using namespace kvarium;

namespace {

const std::filesystem::path configs = std::filesystem::path(KVARIUM_TEST_DATA) / "../../experiments/configs";

std::vector<std::filesystem::path> config_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(configs)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  return files;
}

/// The experiment as a file with every key written out.
std::string written_out(const ExperimentConfig& experiment) {
  nlohmann::ordered_json json = experiment_json(experiment);
  nlohmann::ordered_json axes = nlohmann::ordered_json::array();
  for (const SweepAxis& axis : experiment.sweep.axes) {
    nlohmann::ordered_json keys = nlohmann::ordered_json::object();
    for (std::size_t key = 0; key < axis.paths.size(); ++key) {
      std::string pointer = "/" + axis.paths[key];
      for (char& letter : pointer) letter = letter == '.' ? '/' : letter;
      json["base"] = json["base"].patch({{{"op", "remove"}, {"path", pointer}}});
      for (const auto& row : axis.values) {
        std::visit([&](const auto& value) { keys[axis.paths[key]].push_back(value); }, row.at(key));
      }
    }
    axes.push_back(keys);
  }
  json.erase("sweep");
  if (!axes.empty()) json["sweep"] = {{"zip", axes}};
  return json.dump();
}

}  // namespace

TEST_CASE("every experiment of the folder loads, can run a point and is named as its file", "[experiments][configs]") {
  REQUIRE(config_files().size() >= 3);
  for (const std::filesystem::path& file : config_files()) {
    CAPTURE(file);
    const Plan plan(load_experiment(file));
    CHECK(plan.experiment().name == file.stem());
    std::int64_t runnable = 0;
    for (std::int64_t index = 0; index < plan.num_points(); ++index) runnable += !plan.skip_reason(index);
    CHECK(runnable > 0);
  }
}

TEST_CASE("every experiment of the folder round-trips through its resolved form", "[experiments][configs]") {
  for (const std::filesystem::path& file : config_files()) {
    CAPTURE(file);
    const Plan plan(load_experiment(file));
    const std::string text = written_out(plan.experiment());
    const Plan again(parse_experiment({text, "resolved.json", plan.experiment().point.folder, {}}));
    CHECK(again.fingerprint() == plan.fingerprint());
    CHECK(again.point_ids() == plan.point_ids());
  }
}

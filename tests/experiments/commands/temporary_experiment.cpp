#include "tests/experiments/commands/temporary_experiment.hpp"

#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace kvarium::test {

TemporaryExperiment::TemporaryExperiment(const std::string& text) {
  std::string name = (std::filesystem::temp_directory_path() / "kvarium_experiment_XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder can be made");
  folder_ = name;
  std::ofstream(path()) << text;
}

TemporaryExperiment::~TemporaryExperiment() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

}  // namespace kvarium::test

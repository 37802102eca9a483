#include "tests/experiments/config/example_experiment.hpp"

#include "core/check.hpp"
#include "experiments/plan/load_experiment.hpp"

namespace kvarium::test {

std::string example_text(const std::string& more) {
  return "schema: 1\nname: example\nkind: decode_attention\n" + more;
}

ExperimentConfig parse(const std::string& text, const std::vector<std::string>& overrides) {
  return parse_experiment({text, "f.yaml", "/nowhere", overrides});
}

std::string complaint(const std::string& text, const std::vector<std::string>& overrides) {
  try {
    parse(text, overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace kvarium::test

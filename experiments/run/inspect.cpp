#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "experiments/archive/archive_reader.hpp"
#include "experiments/run/archive_summary.hpp"
#include "experiments/run/runner.hpp"

namespace kvarium {

int inspect_archive(const std::filesystem::path& archive, OutputForm form) {
  const nlohmann::ordered_json summary = archive_summary(archive, read_archive(archive));
  // Texts of a foreign program need not be UTF-8.
  constexpr auto replace = nlohmann::ordered_json::error_handler_t::replace;
  fmt::print("{}",
             form == OutputForm::json ? summary.dump(2, ' ', false, replace) + "\n" : archive_summary_text(summary));
  return 0;
}

}  // namespace kvarium

#include "experiments/run/output_path.hpp"

#include "core/check.hpp"

namespace kvarium {

std::filesystem::path output_path(const std::filesystem::path& named, const Plan& plan) {
  if (named.empty()) return output_path(std::filesystem::path("results") / (plan.experiment().name + ".kv.h5"), plan);
  KVARIUM_VALIDATE(named.has_filename(), named.string(), ": a folder's name; name a file in it");
  std::error_code error;
  if (!std::filesystem::is_symlink(named, error)) return named;
  // A link that leads nowhere stays as it is, to be refused by its own name.
  const std::filesystem::path target = std::filesystem::canonical(named, error);
  return error ? named : target;
}

}  // namespace kvarium

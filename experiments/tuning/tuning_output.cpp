#include "experiments/tuning/tuning_output.hpp"

#include <algorithm>
#include <chrono>

#include "core/check.hpp"
#include "experiments/archive/provenance.hpp"
#include "experiments/tuning/stored_tunings.hpp"

namespace kvarium {

std::filesystem::path new_tuning_path(const std::string& name) {
  const std::filesystem::path folder = tuning_folder();
  KVARIUM_VALIDATE(!folder.empty(), "there is no folder for tunings (none of KVARIUM_CACHE, XDG_CACHE_HOME and HOME is",
                   " set); set KVARIUM_CACHE, or name a file with --output");
  std::string time = utc_text(std::chrono::system_clock::now());
  time.erase(std::remove_if(time.begin(), time.end(), [](char letter) { return letter == '-' || letter == ':'; }),
             time.end());
  std::filesystem::path path = folder / concatenate(name, ".", time, ".kv.h5");
  for (int number = 2; std::filesystem::exists(path); ++number) {
    path = folder / concatenate(name, ".", time, ".", number, ".kv.h5");
  }
  return path;
}

}  // namespace kvarium

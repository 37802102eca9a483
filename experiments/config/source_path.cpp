#include "experiments/config/source_path.hpp"

namespace kvarium {

std::filesystem::path source_path(const std::string& source, const std::string& folder) {
  return (std::filesystem::path(folder) / source).lexically_normal();
}

}  // namespace kvarium

#include "tests/experiments/archive/temporary_folder.hpp"

#include <unistd.h>

#include <atomic>
#include <fstream>
#include <iterator>

namespace kvarium::test {

TemporaryFolder::TemporaryFolder() {
  static std::atomic<int> number = 0;
  path_ = std::filesystem::temp_directory_path() /
          ("kvarium_archive_test_" + std::to_string(getpid()) + "_" + std::to_string(number++));
  std::filesystem::create_directories(path_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string read_bytes(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write_bytes(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

}  // namespace kvarium::test

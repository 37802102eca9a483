#include "experiments/tuning/stored_tunings.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>

#include "core/check.hpp"
#include "experiments/archive/archive_reader.hpp"
#include "experiments/tuning/tuning_facts.hpp"
#include "experiments/tuning/tuning_rows.hpp"
#include "kernels/cuda/cubin_cache.hpp"

namespace kvarium {
namespace {

/// A tuning archive and what tells whether it is still the same.
struct ArchiveFile {
  std::filesystem::path path;
  std::filesystem::file_time_type written;
  std::uintmax_t bytes = 0;

  bool operator==(const ArchiveFile&) const = default;
};

/// Archives of the folder, newest first.
std::vector<ArchiveFile> list_archives(const std::filesystem::path& folder) {
  std::vector<ArchiveFile> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    std::error_code ignored;
    if (!entry.path().string().ends_with(".kv.h5")) continue;
    files.push_back({entry.path(), entry.last_write_time(ignored), entry.file_size(ignored)});
  }
  std::sort(files.begin(), files.end(), [](const ArchiveFile& left, const ArchiveFile& right) {
    return std::pair(left.written, left.path) > std::pair(right.written, right.path);
  });
  return files;
}

/// What was read of a folder's archives.
struct Reading {
  std::vector<ArchiveFile> files;
  std::vector<TunedVariant> tunings;
};

Reading read_all(std::vector<ArchiveFile> files, Device device) {
  Reading reading{std::move(files), {}};
  for (const ArchiveFile& file : reading.files) {
    for (TunedVariant& tuned : read_tuning(file.path, device)) reading.tunings.push_back(std::move(tuned));
  }
  return reading;
}

}  // namespace

std::filesystem::path tuning_folder() {
  const std::filesystem::path cubins = cubin_cache_folder();
  return cubins.empty() ? cubins : cubins.parent_path() / "tunings";
}

std::vector<TunedVariant> read_tuning(const std::filesystem::path& path, Device device) {
  try {
    const ArchiveContent archive = read_archive(path);
    if (!is_tuned_here(archive.runs, device)) return {};
    return tuning_rows(path, archive);
  } catch (const InputError& error) {
    throw InputError(concatenate(error.what(), " (variant.family auto reads it: remove it from the tuning folder)"));
  }
}

std::vector<TunedVariant> stored_tunings(Device device) {
  static std::mutex mutex;
  static std::map<Device, Reading> known;
  std::vector<ArchiveFile> files = list_archives(tuning_folder());
  const std::lock_guard lock(mutex);
  Reading& reading = known[device];
  if (reading.files != files) reading = read_all(std::move(files), device);
  return reading.tunings;
}

}  // namespace kvarium

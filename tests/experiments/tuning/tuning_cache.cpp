#include "tests/experiments/tuning/tuning_cache.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "experiments/archive/archive_reader.hpp"
#include "experiments/archive/archive_writer.hpp"

namespace kvarium::test {
namespace {

/// The tiny shape's tuning, measured once.
const ArchiveContent& tiny_tuning(const TuningCache& cache) {
  static const ArchiveContent content = [&] {
    const std::filesystem::path output = cache.file("measured.kv.h5");
    const CommandResult result = cache.run("tune", tiny_shape, {"--output", output.string()});
    if (result.exit_code != 0) throw std::runtime_error("the tiny shape was not tuned: " + result.errors);
    return read_archive(output);
  }();
  return content;
}

/// The table with `value` in one row of a column.
Table with_value(const Table& table, const std::string& column, std::size_t row, const Value& value) {
  Table changed(table.schema());
  for (std::size_t i = 0; i < table.num_rows(); ++i) {
    std::vector<Value> values = table.row(i);
    if (i == row) values[static_cast<std::size_t>(table.schema().find(column))] = value;
    changed.append_row(values);
  }
  return changed;
}

void make_fastest(ArchiveContent& content, int block_n) {
  const auto sizes = content.find_table("/plan/points")->column("variant.block_n").values<std::int64_t>();
  const auto point = static_cast<std::size_t>(std::find(sizes.begin(), sizes.end(), block_n) - sizes.begin());
  for (Table& table : content.tables) {
    if (table.schema().path == "/timing/summary") table = with_value(table, "median_duration", point, 1e-9);
  }
}

}  // namespace

TuningCache::TuningCache() {
  if (const char* previous = std::getenv("KVARIUM_CACHE")) {
    previous_ = previous;
    had_previous_ = true;
  }
  setenv("KVARIUM_CACHE", folder_.path().c_str(), 1);
}

TuningCache::~TuningCache() {
  had_previous_ ? setenv("KVARIUM_CACHE", previous_.c_str(), 1) : unsetenv("KVARIUM_CACHE");
}

std::vector<std::string> TuningCache::tunings() const {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "tunings", ignored)) {
    if (entry.path().string().ends_with(".kv.h5")) names.push_back(entry.path().filename());
  }
  std::sort(names.begin(), names.end());
  return names;
}

CommandResult TuningCache::run(const std::string& command, const std::string& text,
                               const std::vector<std::string>& arguments) const {
  write_bytes(file("experiment.yaml"), text);
  std::vector<std::string> all{command, file("experiment.yaml").string()};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return run_program(all);
}

void TuningCache::store(const std::string& name, int fastest_block_n,
                        const std::function<void(ArchiveContent&)>& change) const {
  ArchiveContent content = tiny_tuning(*this);
  make_fastest(content, fastest_block_n);
  if (change) change(content);
  write_archive(tuning(name), content);
}

}  // namespace kvarium::test

#include "experiments/journal/journal_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace kvarium {

namespace {

constexpr std::string_view archive_ending = ".kv.h5";
constexpr std::string_view journal_ending = ".kvj.h5";

/// What archive and journals have in common: an output may be named without the usual ending.
std::string stem_of(const std::filesystem::path& output) {
  std::string name = output.filename().string();
  if (name.ends_with(archive_ending)) name.resize(name.size() - archive_ending.size());
  return name;
}

struct JournalName {
  std::string stem;
  int number;
};

std::optional<JournalName> parsed(const std::filesystem::path& file) {
  std::string name = file.filename().string();
  if (!name.ends_with(journal_ending)) return std::nullopt;
  name.resize(name.size() - journal_ending.size());
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos || dot == 0) return std::nullopt;
  int number = 0;
  const char* const end = name.data() + name.size();
  const auto [rest, error] = std::from_chars(name.data() + dot + 1, end, number);
  if (error != std::errc{} || rest != end || number < 1) return std::nullopt;
  return JournalName{name.substr(0, dot), number};
}

std::vector<std::pair<int, std::filesystem::path>> numbered_journals(const std::filesystem::path& output) {
  const std::filesystem::path folder = output.has_parent_path() ? output.parent_path() : ".";
  std::vector<std::pair<int, std::filesystem::path>> found;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const auto name = parsed(entry.path());
    if (name && name->stem == stem_of(output)) found.emplace_back(name->number, journal_path(output, name->number));
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

std::filesystem::path journal_path(const std::filesystem::path& output, int number) {
  return output.parent_path() / fmt::format("{}.{}{}", stem_of(output), number, journal_ending);
}

std::vector<std::filesystem::path> find_journals(const std::filesystem::path& output) {
  std::vector<std::filesystem::path> paths;
  for (auto& [number, path] : numbered_journals(output)) paths.push_back(std::move(path));
  return paths;
}

std::filesystem::path next_journal_path(const std::filesystem::path& output) {
  const auto found = numbered_journals(output);
  return journal_path(output, found.empty() ? 1 : found.back().first + 1);
}

void remove_journals(const std::vector<std::filesystem::path>& journals) {
  std::error_code ignored;
  for (const std::filesystem::path& journal : journals) std::filesystem::remove(journal, ignored);
}

std::filesystem::path set_journal_aside(const std::filesystem::path& journal) {
  std::filesystem::path aside = journal.string() + ".damaged";
  for (int number = 2; std::filesystem::exists(aside); ++number) {
    aside = fmt::format("{}.damaged.{}", journal.string(), number);
  }
  std::filesystem::rename(journal, aside);
  return aside;
}

bool is_journal_name(const std::filesystem::path& file) { return parsed(file).has_value(); }

std::filesystem::path archive_of_journal(const std::filesystem::path& journal) {
  return journal.parent_path() / (parsed(journal)->stem + std::string(archive_ending));
}

}  // namespace kvarium

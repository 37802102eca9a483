#include "experiments/yaml/error_list.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/check.hpp"
#include "core/text.hpp"

namespace kvarium {
namespace {

constexpr std::size_t most_lines = 100;

}  // namespace

void ErrorList::add(const Place& place, std::string_view message, std::string_view remedy) {
  add(place, fmt::format("{}; {}", message, remedy));
}

void ErrorList::add(const Place& place, std::string_view text) {
  errors_.push_back({place, fmt::format("{}: {}", to_string(place), text)});
}

std::vector<std::string> ErrorList::lines() const {
  std::vector<Error> sorted = errors_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Error& left, const Error& right) { return left.place < right.place; });
  std::vector<std::string> texts;
  texts.reserve(sorted.size());
  for (Error& error : sorted) texts.push_back(std::move(error.text));
  return texts;
}

void ErrorList::throw_if_any() const {
  if (errors_.empty()) return;
  std::vector<std::string> texts = lines();
  if (texts.size() > most_lines) {
    const std::size_t left_out = texts.size() - most_lines;
    texts.resize(most_lines);
    texts.push_back(fmt::format("and {} more errors; correct these first", left_out));
  }
  throw InputError(join(texts, "\n"));
}

}  // namespace kvarium

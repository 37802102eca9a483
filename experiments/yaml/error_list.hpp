#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/yaml/place.hpp"

namespace kvarium {

/// Collects what is wrong with a user's input, so that all of it is reported at once.
class ErrorList {
 public:
  /// One error: what is wrong at `place` and what to do about it.
  void add(const Place& place, std::string_view message, std::string_view remedy);

  /// The same with message and remedy in one text "what is wrong; what to do".
  void add(const Place& place, std::string_view text);

  bool empty() const { return errors_.empty(); }
  std::size_t size() const { return errors_.size(); }

  /// Lines "FILE:LINE:COLUMN: message; remedy" in order of place.
  std::vector<std::string> lines() const;

  /// Errors: InputError of all lines, when there are any. A very long list is cut and says so.
  void throw_if_any() const;

 private:
  struct Error {
    Place place;
    std::string text;
  };
  std::vector<Error> errors_;
};

}  // namespace kvarium

#include "experiments/results/value.hpp"

#include <fmt/format.h>

namespace kvarium {

namespace {

struct Printer {
  std::string operator()(std::monostate) const { return "-"; }
  std::string operator()(const std::string& text) const { return text; }
  template <class Number>
  std::string operator()(Number number) const {
    return fmt::format("{}", number);
  }
};

}  // namespace

std::string to_string(const Value& value) { return std::visit(Printer{}, value.storage()); }

}  // namespace kvarium

#include "core/check.hpp"

namespace kvarium::detail {

void throw_assertion_failure(const char* kind, const char* condition, const char* file, int line) {
  throw AssertionFailure(concatenate(file, ":", line, ": ", kind, " does not hold: ", condition));
}

void throw_input_error(const std::string& message) { throw InputError(message); }

}  // namespace kvarium::detail

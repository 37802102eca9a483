#pragma once

#include <stdexcept>
#include <string>

#include "core/text.hpp"

namespace kvarium {

/// Something the user wrote is wrong; the message names place, cause and remedy. Exit code 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A backend or device this build or machine does not have was asked for. Exit code 2.
class NotConfigured : public InputError {
 public:
  using InputError::InputError;
};

/// A broken promise inside kvarium itself; thrown by KVARIUM_EXPECT and KVARIUM_ENSURE.
class AssertionFailure : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

namespace detail {
/// Throws AssertionFailure that names condition, file and line.
[[noreturn]] void throw_assertion_failure(const char* kind, const char* condition, const char* file, int line);
/// Throws InputError with `message`.
[[noreturn]] void throw_input_error(const std::string& message);
}  // namespace detail

}  // namespace kvarium

#ifdef KVARIUM_ASSERTIONS
#define KVARIUM_ASSERT_IMPLEMENTATION(kind, condition)                                           \
  do {                                                                                           \
    if (!(condition)) {                                                                          \
      ::kvarium::detail::throw_assertion_failure(kind, #condition, __FILE__, __LINE__);          \
    }                                                                                            \
  } while (false)
#else
#define KVARIUM_ASSERT_IMPLEMENTATION(kind, condition) \
  do {                                                 \
    static_cast<void>(sizeof(bool(condition)));        \
  } while (false)
#endif

/// Precondition of a function, checked when the build has assertions.
#define KVARIUM_EXPECT(condition) KVARIUM_ASSERT_IMPLEMENTATION("precondition", condition)

/// Promise about a result, checked when the build has assertions.
#define KVARIUM_ENSURE(condition) KVARIUM_ASSERT_IMPLEMENTATION("result", condition)

/// Check of anything a user wrote; always on. Further arguments are joined into the message:
/// what is wrong (why) what to do.
#define KVARIUM_VALIDATE(condition, ...)                                              \
  do {                                                                                \
    if (!(condition)) {                                                               \
      ::kvarium::detail::throw_input_error(::kvarium::concatenate(__VA_ARGS__));      \
    }                                                                                 \
  } while (false)

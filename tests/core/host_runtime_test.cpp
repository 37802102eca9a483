#include "core/host_runtime.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cstdlib>
#include <string>

#include "core/check.hpp"

using namespace kvarium;

namespace {

/// A variable of the environment as it was before.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~Variable() { before_.empty() ? unsetenv(name_) : setenv(name_, before_.c_str(), 1); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::string before_;
};

}  // namespace

TEST_CASE("numbers of threads that Kokkos has no room for are refused before it starts", "[core]") {
  const char* const name = GENERATE("OMP_NUM_THREADS", "KOKKOS_NUM_THREADS");
  const std::string value = GENERATE(as<std::string>(), "513", "100000", "99999999999", "0", "-1", "banana", "2x");
  const Variable variable(name, value);
  CAPTURE(name, value);
  CHECK_THROWS_AS(validate_host_threads(), InputError);
}

TEST_CASE("numbers of threads that fit are taken, nested ones too", "[core]") {
  const std::string value = GENERATE(as<std::string>(), "1", "512", "4,2");
  const Variable variable("OMP_NUM_THREADS", value);
  CHECK_NOTHROW(validate_host_threads());
}

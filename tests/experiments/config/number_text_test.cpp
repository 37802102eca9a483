#include "experiments/config/number_text.hpp"

#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <cstdint>
#include <utility>
#include <vector>

using namespace kvarium;

namespace {

// RFC 8785, appendix B: IEEE 754 bits and their text.
const std::vector<std::pair<std::uint64_t, const char*>> published{
    {0x0000000000000000, "0"},
    {0x8000000000000000, "0"},
    {0x0000000000000001, "5e-324"},
    {0x8000000000000001, "-5e-324"},
    {0x7fefffffffffffff, "1.7976931348623157e+308"},
    {0xffefffffffffffff, "-1.7976931348623157e+308"},
    {0x4340000000000000, "9007199254740992"},
    {0xc340000000000000, "-9007199254740992"},
    {0x4430000000000000, "295147905179352830000"},
    {0x44b52d02c7e14af5, "9.999999999999997e+22"},
    {0x44b52d02c7e14af6, "1e+23"},
    {0x44b52d02c7e14af7, "1.0000000000000001e+23"},
    {0x444b1ae4d6e2ef4e, "999999999999999700000"},
    {0x444b1ae4d6e2ef4f, "999999999999999900000"},
    {0x444b1ae4d6e2ef50, "1e+21"},
    {0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"},
    {0x3eb0c6f7a0b5ed8d, "0.000001"},
    {0x41b3de4355555553, "333333333.3333332"},
    {0x41b3de4355555554, "333333333.33333325"},
    {0x41b3de4355555555, "333333333.3333333"},
    {0x41b3de4355555556, "333333333.3333334"},
    {0x41b3de4355555557, "333333333.33333343"},
    {0xbecbf647612f3696, "-0.0000033333333333333333"},
    {0x43143ff3c1cb0959, "1424953923781206.2"},
};

}  // namespace

TEST_CASE("numbers print as RFC 8785's vectors want", "[experiments][config]") {
  const auto [bits, text] = GENERATE(from_range(published));
  CHECK(number_text(std::bit_cast<double>(bits)) == text);
}

TEST_CASE("everyday numbers print without decoration", "[experiments][config]") {
  CHECK(number_text(1.0) == "1");
  CHECK(number_text(-0.5) == "-0.5");
  CHECK(number_text(0.1) == "0.1");
  CHECK(number_text(1024.0) == "1024");
  CHECK(number_text(1e-7) == "1e-7");
}

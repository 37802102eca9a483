#include "experiments/plan/sha256.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace kvarium;

TEST_CASE("SHA-256 gives the digests FIPS 180 publishes, whole or in parts", "[experiments][plan]") {
  const std::string abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  Sha256 sha256;

  sha256.update("a");
  sha256.update("bc");
  const Sha256::Digest digest = sha256.finish();

  CHECK(hexadecimal(digest) == abc);
  CHECK(leading_word(digest) == 0xba7816bf8f01cfea);
  CHECK(hexadecimal(sha256.finish()) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

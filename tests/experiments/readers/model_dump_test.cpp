#include "experiments/readers/model_dump.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <functional>
#include <limits>

#include "tests/experiments/archive/temporary_folder.hpp"
#include "tests/experiments/readers/dump_writer.hpp"

using namespace kvarium;
using namespace kvarium::test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

TEST_CASE("a dump gives its arrays, extents and attributes", "[experiments][readers]") {
  const TemporaryFolder folder;
  write_dump(folder / "d.h5", DumpFile());

  const ModelDump dump = read_model_dump(folder / "d.h5");

  CHECK(dump.model == "tiny");
  CHECK(dump.element_type == "float32");
  CHECK(dump.scale == 0.25);
  CHECK(dump.num_layers == 2);
  CHECK(dump.num_tokens == 5);
  CHECK(dump.num_kv_heads == 1);
  CHECK(dump.num_heads == 3);
  CHECK(dump.head_size == 8);
  CHECK(dump.key == std::vector<float>(80, 1));
  CHECK(dump.value == std::vector<float>(80, 2));
  CHECK(dump.query == std::vector<float>(240, 3));
  CHECK(dump.token_ids == std::vector<std::int64_t>(5, 7));
  CHECK(dump.num_not_finite == 0);
}

TEST_CASE("a dump in bfloat16 is read from the uint16 that hold its bits", "[experiments][readers]") {
  const TemporaryFolder folder;
  DumpFile file;
  file.element_type = "bfloat16";
  // 0xc040 is -3 in bfloat16.
  file.key->type = file.value->type = file.query->type = H5T_NATIVE_UINT16;
  file.key->value = file.value->value = file.query->value = 0xc040;
  write_dump(folder / "d.h5", file);

  CHECK(read_model_dump(folder / "d.h5").key == std::vector<float>(80, -3));
}

TEST_CASE("NaN and infinities in a dump are kept and counted", "[experiments][readers]") {
  const TemporaryFolder folder;
  DumpFile file;
  file.value->value = std::numeric_limits<double>::quiet_NaN();
  write_dump(folder / "d.h5", file);

  const ModelDump dump = read_model_dump(folder / "d.h5");

  CHECK(dump.num_not_finite == 80);
  CHECK(std::isnan(dump.value.front()));
}

using Damage = std::function<void(DumpFile&)>;

/// What may be wrong with a dump, and what its refusal says.
const std::vector<std::pair<Damage, std::string>> damages{
    {[](DumpFile& file) { file.key.reset(); }, "'/key' is missing"},
    {[](DumpFile& file) { file.value.reset(); }, "'/value' is missing"},
    {[](DumpFile& file) { file.query.reset(); }, "'/query' is missing"},
    {[](DumpFile& file) { file.token_ids.reset(); }, "'/token_ids' is missing"},
    {[](DumpFile& file) { file.model.reset(); }, "'model'"},
    {[](DumpFile& file) { file.element_type.reset(); }, "'element_type'"},
    {[](DumpFile& file) { file.scale.reset(); }, "'scale'"},
    {[](DumpFile& file) { file.scale = -1; }, "'scale'"},
    {[](DumpFile& file) { file.scale = std::nan(""); }, "'scale'"},
    {[](DumpFile& file) {
       file.key->shape = {2, 5, 8};
     },
     "3 dimensions, not 4"},
    {[](DumpFile& file) {
       file.key->shape = {2, 0, 1, 8};
     },
     "at least 1"},
    {[](DumpFile& file) {
       file.value->shape = {2, 5, 1, 16};
     },
     "'/value' has shape [2, 5, 1, 16]"},
    {[](DumpFile& file) {
       file.query->shape = {2, 4, 3, 8};
     },
     "layers, tokens and head size"},
    {[](DumpFile& file) {
       file.key->shape = file.value->shape = {2, 5, 2, 8};
     },
     "no multiple of the 2 KV heads"},
    {[](DumpFile& file) { file.token_ids->shape = {4}; }, "4 entries for the 5 tokens"},
    {[](DumpFile& file) { file.token_ids->type = H5T_NATIVE_FLOAT; }, "'/token_ids' holds no integers"},
    {[](DumpFile& file) { file.key->type = H5T_NATIVE_INT; }, "'/key' holds no floating-point numbers"},
    {[](DumpFile& file) { file.key->type = H5T_NATIVE_UINT16; }, "'/key' holds no floating-point numbers"},
};

TEST_CASE("a dump that lacks something or does not fit together is refused by name", "[experiments][readers]") {
  const TemporaryFolder folder;
  const auto& [damage, cause] = GENERATE(from_range(damages));
  CAPTURE(cause);
  DumpFile file;
  damage(file);
  write_dump(folder / "d.h5", file);

  const std::string message = input_error_of([&] { read_model_dump(folder / "d.h5"); });

  CHECK_THAT(message, StartsWith((folder / "d.h5").string() + ": ") && ContainsSubstring(cause));
  CHECK(message.find('\n') == std::string::npos);
}

TEST_CASE("a truncated dump is refused", "[experiments][readers]") {
  const TemporaryFolder folder;
  write_dump(folder / "whole.h5", DumpFile());
  const std::string whole = read_bytes(folder / "whole.h5");
  write_bytes(folder / "cut.h5", whole.substr(0, whole.size() / 2));

  CHECK_THAT(input_error_of([&] { read_model_dump(folder / "cut.h5"); }), ContainsSubstring("truncated"));
}

TEST_CASE("the dump of a real model that h5py wrote is read", "[experiments][readers]") {
  const ModelDump dump = read_model_dump(KVARIUM_TEST_DATA "/../../experiments/data/smollm2_small.h5");

  CHECK(dump.num_kv_heads == 3);
  CHECK(dump.num_heads == 9);
  CHECK(dump.head_size == 64);
  CHECK(dump.scale == 0.125);
  CHECK(dump.num_not_finite == 0);
  CHECK(dump.key.size() == static_cast<std::size_t>(dump.num_layers * dump.num_tokens * 3 * 64));
  CHECK(dump.key != std::vector<float>(dump.key.size(), dump.key.front()));
}

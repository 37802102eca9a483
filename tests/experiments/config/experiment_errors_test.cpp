#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <string>
#include <vector>

#include "tests/experiments/config/example_experiment.hpp"

using namespace kvarium::test;
using Catch::Matchers::ContainsSubstring;

namespace {

struct BadLine {
  const char* text;     ///< from line 4 on
  const char* message;  ///< all lines
};

const std::vector<BadLine> bad_lines{
    {"sed: 3\n",
     "f.yaml:4:1: unknown key 'sed'; use one of schema, name, kind, seed, device, base, replicates, controls, limits, "
     "record, sweep, extends (did you mean 'seed'?)"},
    {"base:\n  cache:\n    layuot: hnd\n",
     "f.yaml:6:5: unknown key 'layuot'; use one of layout, element_type, head_size, block_size, num_kv_heads, "
     "query_heads_per_kv_head, num_layers, source (did you mean 'layout'?)"},
    {"base: {cache: {layout: hdn}}\n",
     "f.yaml:4:24: layout 'hdn' is not known; use one of split_x, nhd, hnd, packed (did you mean 'hnd'?)"},
    {"base: {cache: {layout: hnd}, cache: {}}\n",
     "f.yaml:4:30: key 'cache' stands twice (first in line 4); remove one"},
    {"base: {cache: {head_size: 12}}\n",
     "f.yaml:4:27: head_size 12 is not supported; use a multiple of 8 from 8 to 256"},
    {"base: {cache: {block_size: 24}}\n", "f.yaml:4:28: block_size 24 is not supported; use 8, 16, 32, 64, 128 or 256"},
    {"base: {cache: {head_size: 1e3}}\n",
     "f.yaml:4:27: '1e3' is not an integer; write all digits, without point or exponent"},
    {"base: {cache: {head_size: 072, layout: hnd}}\n",
     "f.yaml:4:27: '072' is not an integer; remove the leading zeros (some YAML readers take them as octal)"},
    {"base: {cache: {num_kv_heads: 0}}\n", "f.yaml:4:30: num_kv_heads 0 is out of range; use 1 to 65536"},
    {"base: {batch: {context_length: -1}}\n",
     "f.yaml:4:32: context_length -1 is out of range; use 0 to 2147483647 tokens"},
    {"base: {batch: {context_length: 3000000000}}\n",
     "f.yaml:4:32: context_length 3000000000 is out of range; use 0 to 2147483647 tokens"},
    {"base: {batch: {fragmentation: 1.5}}\n", "f.yaml:4:31: fragmentation 1.5 is out of range; use 0 to 1"},
    {"base: {batch: {alibi: yes}}\n", "f.yaml:4:23: 'yes' is not true or false; write true or false"},
    {"base: {batch: {query_type: float8_e4m3}}\n",
     "f.yaml:4:28: query_type 'float8_e4m3' is not known; use one of float32, float16, bfloat16"},
    {"base: {batch: {softcap: .inf}}\n", "f.yaml:4:25: '.inf' is not a number; only finite numbers are allowed"},
    {"base: {checksum: {piece_width: 3}}\n", "f.yaml:4:32: piece_width 3 is not supported; use 1, 2, 4 or 8 bytes"},
    {"base: {checksum: {family: crc}}\n", nullptr},
    {"base: {checksum: {family: crc32, edge_width: 8}}\n",
     "f.yaml:4:46: checksum 'crc32' takes no 'edge_width' (8); it takes only byte_order, zero_means_absent"},
    {"base: {checksum: {byte_order: disk}}\n", nullptr},
    {"base: {variant: {family: hots}}\n", nullptr},
    {"base: {variant: {device_profile: h100}}\n",
     "f.yaml:4:34: device_profile 'h100' is not known; use one of native, h200, a100, bi_v100 (did you mean 'h200'?)"},
    {"base: {cache: {num_kv_heads: 65536, query_heads_per_kv_head: 65536}}\n",
     "f.yaml:4:62: num_kv_heads 65536 times query_heads_per_kv_head 65536 are 4294967296 query heads, more than "
     "1048576; "
     "use fewer"},
    {"base: {variant: {partition_size: 100}}\n",
     "f.yaml:4:34: partition_size 100 is no multiple of block_size 16; change one of them"},
    {"base: {batch: {shared_prefix_length: 2000}}\n",
     "f.yaml:4:38: shared_prefix_length 2000 is longer than context_length 1024; shorten it"},
    {"base: {cache: {head_size: 72, element_type: float8_e4m3}}\n",
     "f.yaml:4:27: head_size 72 does not fit layout split_x of float8_e4m3 (groups of 16 elements); use a multiple of "
     "16 or another layout"},
    {"base: {batch: {num_sequences: 1048576, context_length: 1000000}}\n",
     "f.yaml:4:31: num_sequences 1048576 of context_length 1000000 need 65536000000 blocks, more than 2147483647; use "
     "fewer"},
    {"base: {fault: {bits: sign}}\n", "f.yaml:4:22: fault model 'none' takes no 'bits' (sign); it takes no settings"},
    {"base: {fault: {model: stale_block, tensor: key}}\n",
     "f.yaml:4:44: fault model 'stale_block' takes no 'tensor' (key); it takes no settings"},
    {"base: {fault: {stage: S4}}\n",
     "f.yaml:4:23: stage 'S4' is not known; use one of S0, S1, S2, S3 (did you mean 'S0'?)"},
    {"base: {cache: {source: dump.h5}}\n",
     "f.yaml:4:24: source 'dump.h5' is no file (/nowhere/dump.h5); write synthetic, random_bits, or the path of a "
     "model dump "
     "relative to the YAML file"},
    {"base:\n",
     "f.yaml:4:1: base holds nothing, not a map of keys; use one of cache, batch, variant, checksum, fault, "
     "workload, transfer"},
    {"base: 3\n",
     "f.yaml:4:7: base holds '3', not a map of keys; use one of cache, batch, variant, checksum, fault, "
     "workload, transfer"},
    {"base: {cache: [layout, hnd]}\n",
     "f.yaml:4:15: base.cache holds a list, not a map of keys; use one of layout, element_type, head_size, block_size, "
     "num_kv_heads, query_heads_per_kv_head, num_layers, source"},
    {"seed: [1, 2]\n", "f.yaml:4:7: a list is not an integer; write decimal digits"},
    {"seed:\n", "f.yaml:4:1: nothing is not an integer; write decimal digits"},
    {"seed: -1\n", "f.yaml:4:7: seed -1 is out of range; use 0 to 9007199254740991"},
    {"device: gpu\n", "f.yaml:4:9: device 'gpu' is not known; use one of cpu, cuda (did you mean 'cpu'?)"},
    {"replicates: 0\n", "f.yaml:4:13: count 0 is out of range; use 1 to 1000000000"},
    {"replicates: {count: many}\n", "f.yaml:4:21: 'many' is not an integer; write decimal digits"},
    {"replicates: [3]\n",
     "f.yaml:4:13: replicates holds a list, not a map of keys; use one of count, "
     "interval_width, looks"},
    {"limits: {min_time_seconds: 1e6}\n", "f.yaml:4:28: min_time_seconds 1000000 is out of range; use 0 to 86400 s"},
};

}  // namespace

TEST_CASE("a wrong line is answered by its place, what is wrong and what is allowed", "[experiments][config]") {
  const BadLine bad = GENERATE(from_range(bad_lines));
  CAPTURE(bad.text);

  const std::string message = complaint(example_text(bad.text));

  if (bad.message != nullptr) {
    CHECK(message == bad.message);
  } else {
    CHECK_THAT(message, ContainsSubstring("is not known; use one of"));
  }
}

TEST_CASE("all errors of a file are reported at once", "[experiments][config]") {
  const std::string text =
      "schema: 2\n"
      "name: my experiment\n"
      "knid: decode_attention\n"
      "base:\n"
      "  cache: {head_size: 1e2, layout: nhc}\n"
      "  batch: {sinks: 1}\n";
  CHECK(complaint(text) ==
        "f.yaml:1:1: key 'kind' is missing (what is done); add 'kind: ...', one of fault_impact, fault_coverage, "
        "decode_attention, "
        "checksum_throughput, transfer\n"
        "f.yaml:1:9: schema 2 is not known; this version reads schema 1\n"
        "f.yaml:2:7: name 'my experiment' has other letters than A-Z, a-z, 0-9, '_' and '-'; change it\n"
        "f.yaml:3:1: unknown key 'knid'; use one of schema, name, kind, seed, device, base, replicates, controls, "
        "limits, record, sweep, extends (did you mean 'kind'?)\n"
        "f.yaml:5:22: '1e2' is not an integer; write all digits, without point or exponent\n"
        "f.yaml:5:35: layout 'nhc' is not known; use one of split_x, nhd, hnd, packed (did you mean 'nhd'?)\n"
        "f.yaml:6:18: '1' is not true or false; write true or false");
}

TEST_CASE("a document that is no map says which keys a file has", "[experiments][config]") {
  CHECK_THAT(complaint("just text\n"), ContainsSubstring("f.yaml:1:1: the file holds 'just text', not a map of keys; "
                                                         "use one of schema, name, kind"));
  CHECK_THAT(complaint("- schema: 1\n"), ContainsSubstring("the file holds a list, not a map of keys"));
}

TEST_CASE("a file whose only point its kind refuses is wrong", "[experiments][config]") {
  CHECK(complaint("schema: 1\nname: example\nkind: fault_impact\n") ==
        "f.yaml:1:1: fault.model is none; name one of `kvarium list faults`");
}

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <nlohmann/json.hpp>

#include "tests/experiments/archive/temporary_folder.hpp"
#include "tests/experiments/run/small_experiment.hpp"

using namespace kvarium;
using namespace kvarium::test;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string small_coverage =
    "schema: 1\nname: crossed\nkind: fault_coverage\nseed: 3\n"
    "replicates: 300\ncontrols: {dummy_injections: 5}\n"
    "base:\n"
    "  cache: {layout: nhd, head_size: 16, num_kv_heads: 2, query_heads_per_kv_head: 1}\n"
    "  batch: {num_sequences: 2, context_length: 40}\n"
    "sweep:\n"
    "  zip:\n"
    "    - - {fault.model: single_bit_flip}\n"
    "      - {fault.model: slice_exchange, fault.exchanged: tokens}\n"
    "      - {fault.model: slice_exchange, fault.exchanged: layers}\n"
    "    - - {checksum.family: weighted_sum}\n"
    "      - {checksum.family: weighted_sum, checksum.piece_width: 4}\n"
    "      - {checksum.family: xor_fold}\n";

CommandResult run_coverage(const std::filesystem::path& output) {
  const std::filesystem::path file = output.parent_path() / "crossed.yaml";
  write_bytes(file, small_coverage);
  return run_program({"run", file.string(), "--output", output.string()});
}

/// The share of one fault and checksum in a report.
nlohmann::json share_in(const nlohmann::json& report, const std::string& fault, const std::string& of) {
  for (const nlohmann::json& share : report.at("shares")) {
    if (share.at("fault") == fault && share.at("of") == of && share.at("share") == "detected_rate") return share;
  }
  return {};
}

}  // namespace

TEST_CASE("a report crosses faults with checksums, each share with its interval", "[experiments][report]") {
  const TemporaryFolder folder;
  REQUIRE(run_coverage(folder / "a.kv.h5").exit_code == 0);

  const CommandResult text = run_program({"report", (folder / "a.kv.h5").string()});
  const CommandResult as_json = run_program({"report", (folder / "a.kv.h5").string(), "--json"});

  REQUIRE(text.exit_code == 0);
  CHECK_THAT(text.output, ContainsSubstring("9 points: 9 passed") && ContainsSubstring("detected, percent"));
  CHECK_THAT(text.output, ContainsSubstring("slice_exchange exchanged=tokens"));
  CHECK_THAT(text.output, ContainsSubstring("weighted_sum piece_width=4") && ContainsSubstring("all control_alarms"));
  REQUIRE(as_json.exit_code == 0);
  const auto report = nlohmann::json::parse(as_json.output);
  CHECK(share_in(report, "single_bit_flip", "weighted_sum").at("rate") == 1.0);
  CHECK(share_in(report, "single_bit_flip", "weighted_sum").at("low") < 1.0);
  CHECK(share_in(report, "slice_exchange exchanged=tokens", "weighted_sum").at("rate") == 1.0);
  CHECK(share_in(report, "slice_exchange exchanged=tokens", "xor_fold").at("rate") == 0.0);
  // One layer has no other one to exchange with.
  CHECK(share_in(report, "slice_exchange exchanged=layers", "weighted_sum").is_null());
  // weighted_sum and xor_fold both see every flipped bit; of exchanged tokens the latter sees none.
  CHECK_THAT(text.output, ContainsSubstring("seen by it alone / by weighted_sum alone"));
  CHECK(report.at("pairs").size() == 4);
  const nlohmann::json& exchanged = report.at("pairs").back();
  CHECK(exchanged.at("second") == "xor_fold");
  CHECK(exchanged.at("first_only") == 300);
  CHECK(exchanged.at("second_only") == 0);
  CHECK(exchanged.at("p") < 1e-80);
  CHECK(report.at("costs").size() == 3);
  CHECK(report.at("costs")[0].at("record_bytes") == 8.0);
}

TEST_CASE("a share of no applicable fault is told from one of a point that did not run", "[experiments][report]") {
  const TemporaryFolder folder;
  REQUIRE(run_coverage(folder / "a.kv.h5").exit_code == 0);
  forget_last_points(folder / "a.kv.h5", 1);

  const CommandResult text = run_program({"report", (folder / "a.kv.h5").string()});

  REQUIRE(text.exit_code == 0);
  CHECK_THAT(text.output, ContainsSubstring("n/a"));
  CHECK_THAT(text.output, ContainsSubstring("1 unfinished"));
}

TEST_CASE("a report of faults' impact crosses effects too, and others have a row a point", "[experiments][report]") {
  const TemporaryFolder folder;
  run_small(folder / "a.kv.h5");

  const CommandResult text = run_program({"report", (folder / "a.kv.h5").string()});

  REQUIRE(text.exit_code == 0);
  CHECK_THAT(text.output, ContainsSubstring("silent, percent") && ContainsSubstring("element_type=bfloat16"));
}

TEST_CASE("a report of no archive is refused", "[experiments][report]") {
  const TemporaryFolder folder;
  write_bytes(folder / "text", "text");

  CHECK(run_program({"report", (folder / "text").string()}).exit_code == 2);
  CHECK(run_program({"report", (folder / "none").string()}).exit_code == 2);
}

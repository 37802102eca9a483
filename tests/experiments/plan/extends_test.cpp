#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>

#include "core/check.hpp"
#include "experiments/plan/document_text.hpp"
#include "experiments/plan/load_experiment.hpp"
#include "experiments/plan/plan.hpp"
#include "experiments/yaml/yaml_parser.hpp"
#include "tests/experiments/archive/temporary_folder.hpp"

using namespace kvarium;
using namespace kvarium::test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

namespace {

/// Files in a folder of their own.
class Files {
 public:
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = folder_.path() / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path;
  }

  std::string complaint(const std::string& name, const std::string& text) const {
    try {
      load_experiment(write(name, text));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  std::string place(const std::string& name) const { return (folder_.path() / name).string(); }

 private:
  TemporaryFolder folder_;
};

const std::string parent =
    "schema: 1\n"
    "kind: decode_attention\n"
    "base:\n"
    "  cache: {head_size: 64, layout: hnd}\n"
    "  batch: {context_length: 512}\n"
    "sweep:\n"
    "  grid:\n"
    "    cache.block_size: {pow2: [4, 6]}\n"
    "    batch.num_sequences: [1, 2]\n"
    "  list: [{batch.num_sequences: 3}]\n";

}  // namespace

TEST_CASE("an experiment has what it extends where it says nothing else", "[experiments][plan][extends]") {
  const Files files;
  files.write("parent.yaml", parent);

  const ExperimentConfig experiment =
      load_experiment(files.write("child.yaml",
                                  "extends: parent.yaml\nname: child\n"
                                  "base: {cache: {head_size: 128}, batch: {softcap: 30}}\n"
                                  "sweep: {grid: {cache.block_size: [32]}, list: [{batch.num_sequences: 5}]}\n"));

  CHECK(experiment.name == "child");
  CHECK(experiment.point.base.cache.head_size == 128);
  CHECK(experiment.point.base.cache.layout == CacheLayout::hnd);
  CHECK(experiment.point.base.batch.context_length == 512);
  CHECK(experiment.point.base.batch.softcap == 30);
  REQUIRE(experiment.sweep.axes.size() == 2);
  CHECK(experiment.sweep.axes[0].values == std::vector<std::vector<FieldValue>>{{std::int64_t{32}}});
  CHECK(experiment.sweep.axes[1].values.size() == 2);
  REQUIRE(experiment.sweep.list.size() == 1);
  CHECK(experiment.sweep.list[0].values == std::vector<FieldValue>{std::int64_t{5}});
}

TEST_CASE("a key without a value takes the parent's away", "[experiments][plan][extends]") {
  const Files files;
  files.write("parent.yaml", parent);

  const ExperimentConfig experiment = load_experiment(files.write("child.yaml",
                                                                  "extends: parent.yaml\nname: child\n"
                                                                  "base:\n  cache:\n    layout:\n"
                                                                  "sweep:\n  list:\n"
                                                                  "  grid: {cache.layout: [nhd, packed]}\n"));

  CHECK(experiment.sweep.list.empty());
  CHECK(experiment.sweep.axes.size() == 3);
  CHECK_THAT(files.complaint("other.yaml", "extends: parent.yaml\nname: other\nseed:\n"),
             ContainsSubstring("other.yaml:3:1"));
}

TEST_CASE("a plain number of replicates is merged as the map it stands for", "[experiments][plan][extends]") {
  const Files files;
  files.write("number.yaml", parent + "replicates: 100\n");
  files.write("map.yaml", parent + "replicates: {count: 100, interval_width: 0.25}\n");
  const auto merged = [&](const std::string& base, const std::string& replicates) {
    return load_experiment(files.write("child.yaml", "extends: " + base + "\nname: child\nreplicates: " + replicates))
        .point.replicates;
  };

  CHECK(merged("number.yaml", "{interval_width: 0.5}\n") == ReplicatesConfig{100, 0.5, 10});
  CHECK(merged("map.yaml", "7\n") == ReplicatesConfig{7, 0.25, 10});
}

TEST_CASE("files are named relative to the file that names them, over several steps", "[experiments][plan][extends]") {
  const Files files;
  files.write("dump.h5", "");
  files.write("base/deep/first.yaml", parent);
  files.write("base/second.yaml", "extends: deep/first.yaml\nbase: {cache: {source: ../dump.h5}}\n");
  files.write("third.yaml", "extends: base/second.yaml\nseed: 3\n");

  const ExperimentConfig experiment =
      load_experiment(files.write("own/child.yaml", "extends: ../third.yaml\nname: child\n"));

  CHECK(experiment.point.seed == 3);
  CHECK(experiment.point.base.cache.head_size == 64);
  CHECK(experiment.point.base.cache.source == "../dump.h5");
}

TEST_CASE("the text kept of an experiment needs no other file", "[experiments][plan][extends]") {
  const Files files;
  const std::filesystem::path first = files.write("parent.yaml", parent);
  const std::filesystem::path file =
      files.write("child.yaml", "extends: parent.yaml\nname: \"1\"\nlimits: {min_time_seconds: 1e-3}\n");
  const Plan plan(load_experiment(file));
  std::filesystem::remove(first);

  const Plan again(parse_experiment({plan.experiment().yaml_text, "kept", file.parent_path(), {}}));

  CHECK(again.fingerprint() == plan.fingerprint());
  CHECK(again.experiment().name == "1");
  CHECK_THAT(plan.experiment().yaml_text, StartsWith("# ") && ContainsSubstring("parent.yaml"));
}

TEST_CASE("the text of a file that extends nothing is kept as it is", "[experiments][plan][extends]") {
  const std::string text = "schema: 1 # one\nname: x\nkind: decode_attention\n";
  CHECK(parse_experiment({text, "f.yaml", ".", {}}).yaml_text == text);
}

TEST_CASE("a document written out reads back as the same values", "[experiments][plan][extends]") {
  const std::string text =
      "a: {b: [1, -2.5e-3, true, \"true\", 'x y', ~, [], {}], \"c: d\": \"\\\"\\\\\\n\"}\n"
      "e: {f: {g: {h: \"null\", i: -, j: \"\"}}}\nk: null\n";
  ErrorList errors;
  const std::string once = document_text(parse_yaml(text, "a", errors));
  const std::string twice = document_text(parse_yaml(once, "b", errors));

  CHECK(errors.empty());
  CHECK(once == twice);
  CHECK_THAT(once, ContainsSubstring(R"(b: [1, -2.5e-3, true, "true", "x y", ~, [], {}])"));
}

TEST_CASE("mistakes are named in the file they stand in", "[experiments][plan][extends]") {
  const Files files;
  files.write("parent.yaml", "schema: 1\nkind: decode_attention\nbase: {cache: {hed_size: 64}}\n");

  const std::string complaint = files.complaint("child.yaml", "extends: parent.yaml\nname: child\nsed: 3\n");

  CHECK_THAT(complaint, StartsWith(files.place("child.yaml") + ":3:1: unknown key 'sed'"));
  CHECK_THAT(complaint, ContainsSubstring("\n" + files.place("parent.yaml") + ":3:16: unknown key 'hed_size'"));
}

TEST_CASE("files that extend themselves, nothing, or what cannot be read are refused", "[experiments][plan][extends]") {
  const Files files;
  files.write("a.yaml", "extends: b.yaml\n");
  files.write("b.yaml", "extends: ./a.yaml\n");
  files.write("broken.yaml", "a: [1\n");

  CHECK_THAT(files.complaint("a.yaml", "extends: b.yaml\nname: a\n"),
             ContainsSubstring(files.place("b.yaml") + ":1:10: extends ") &&
                 ContainsSubstring("comes back to a file that is being extended; remove one of the keys extends"));
  CHECK_THAT(files.complaint("own.yaml", "extends: own.yaml\n"), ContainsSubstring("own.yaml:1:10: extends "));
  CHECK_THAT(files.complaint("f.yaml", "extends: gone.yaml\n"),
             StartsWith(files.place("f.yaml") + ":1:1: key 'schema' is missing") &&
                 ContainsSubstring("f.yaml:1:10: " + files.place("gone.yaml") + ": cannot be opened"));
  CHECK_THAT(files.complaint("f.yaml", "extends: broken.yaml\n"), StartsWith(files.place("broken.yaml") + ":"));
  CHECK_THAT(files.complaint("f.yaml", "extends: [a.yaml]\n"),
             ContainsSubstring("f.yaml:1:1: extends holds a list, no name of a file; write 'extends: base.yaml'"));
}

#include "experiments/archive/provenance.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <set>

using namespace kvarium;

namespace {

std::string fact(const RunProvenance& facts, const std::string& name) {
  for (const auto& [key, value] : facts) {
    if (key == name) return to_string(value);
  }
  return "";
}

constexpr std::array needed_facts{"started",
                                  "kvarium_version",
                                  "commit",
                                  "dirty",
                                  "build_type",
                                  "compiler",
                                  "compiler_flags",
                                  "yaml_cpp_version",
                                  "kokkos_version",
                                  "hdf5_version",
                                  "fmt_version",
                                  "zlib_version",
                                  "kokkos_host_space",
                                  "threads",
                                  "host",
                                  "kernel",
                                  "cpu_model",
                                  "cores",
                                  "memory_bytes",
                                  "device",
                                  "environment_OMP_PROC_BIND",
                                  "ended",
                                  "wall_seconds"};

}  // namespace

TEST_CASE("provenance names build, libraries, machine, inputs and times", "[experiments][archive]") {
  setenv("OMP_PROC_BIND", "false", 0);
  const ProvenanceRecorder recorder("cpu", {{"dump.h5", std::string(64, 'a'), 12}});

  const RunProvenance facts = recorder.facts("complete");

  for (const char* name : needed_facts) {
    CAPTURE(name);
    CHECK_FALSE(fact(facts, name).empty());
  }
  CHECK(fact(facts, "input_0_sha256") == std::string(64, 'a'));
  CHECK(fact(facts, "exit_reason") == "complete");
}

TEST_CASE("no fact holds a folder of this machine", "[experiments][archive]") {
  setenv("KOKKOS_TOOLS_LIBS", "/opt/tools/libkp_timer.so", 1);
  const RunProvenance facts = ProvenanceRecorder("cpu", {{"folder/dump.h5", std::string(64, 'a'), 12}}).facts("");
  unsetenv("KOKKOS_TOOLS_LIBS");

  CHECK(fact(facts, "environment_KOKKOS_TOOLS_LIBS") == "libkp_timer.so");
  CHECK(fact(facts, "input_0_path") == "folder/dump.h5");
  for (const auto& [name, value] : facts) {
    CAPTURE(name, to_string(value));
    const std::string text = " " + to_string(value);
    CHECK(text.find(" /") == std::string::npos);
    CHECK(text.find("=/") == std::string::npos);
    CHECK(text.find("-I/") == std::string::npos);
  }
}

TEST_CASE("no fact has two values", "[experiments][archive]") {
  const RunProvenance facts = ProvenanceRecorder("cpu", {}).facts("complete");

  std::set<std::string> names;
  for (const auto& [name, value] : facts) CHECK(names.insert(name).second);
}

TEST_CASE("times are ISO 8601 in UTC", "[experiments][archive]") {
  CHECK(utc_text(std::chrono::system_clock::from_time_t(1795996800)) == "2026-11-30T00:00:00Z");
}

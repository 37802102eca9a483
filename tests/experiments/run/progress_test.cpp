#include "experiments/run/progress.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <csignal>
#include <nlohmann/json.hpp>

#include "experiments/run/archived_config.hpp"
#include "experiments/run/stop_signals.hpp"

using namespace kvarium;

TEST_CASE("progress tells rate and time left of the points run here", "[experiments][run]") {
  // 10 of 12 points were there before; 1.5 more took three seconds, so half a point is left.
  CHECK(progress_text({12, 11, 11, 1.5, 3}) == "11/12 points, 30 points/min, 0:01 left");
  CHECK(progress_text({400, 100, 100, 100, 20}) == "100/400 points, 5 points/s, 1:00 left");
  CHECK(progress_text({10000, 1, 1, 1, 1}) == "1/10000 points, 1 points/s, 2:46:39 left");
}

TEST_CASE("progress tells which points a kill would not lose", "[experiments][run]") {
  CHECK(progress_text({12, 11, 9, 2, 4}) == "11/12 points (9 saved), 30 points/min, 0:02 left");
}

TEST_CASE("progress promises nothing before the first point", "[experiments][run]") {
  CHECK(progress_text({12, 3, 3, 0, 5}) == "3/12 points");
}

TEST_CASE("a signal asks the run to stop, and the handler of before comes back", "[experiments][run]") {
  struct sigaction before {};
  sigaction(SIGTERM, nullptr, &before);
  {
    const StopSignals signals;
    CHECK_FALSE(signals.is_requested());
    CHECK(signals.name().empty());

    std::raise(SIGTERM);

    CHECK(signals.is_requested());
    CHECK(signals.name() == "SIGTERM");
  }
  struct sigaction after {};
  sigaction(SIGTERM, nullptr, &after);
  CHECK(after.sa_handler == before.sa_handler);
}

TEST_CASE("a difference of configurations names the keys, in one line each", "[experiments][run]") {
  const std::vector<std::string> lines =
      config_differences(R"({"base":{"a":1,"b":"x"},"seed":1})", R"({"base":{"a":2,"b":"x"},"seed":1,"extra":true})");

  CHECK(lines ==
        std::vector<std::string>{"base.a: 1 in the archive, 2 now", "extra: nothing in the archive, true now"});
  for (const char* damaged : {"not json", "3", "\"x\"", "[1]", ""}) {
    CHECK(config_differences(damaged, "{}") == std::vector<std::string>{"the archive's configuration is damaged"});
  }
}

TEST_CASE("JSON of an archive that nests deeper than ours is damage, however deep", "[experiments][run]") {
  const std::size_t levels = GENERATE(34, 200000);
  CHECK(archived_json(std::string(levels, '[') + std::string(levels, ']')).is_null());
  CHECK(archived_json(std::string(32, '[') + std::string(32, ']')).is_array());
  CHECK(archived_json("{\"a\": ").is_null());
}

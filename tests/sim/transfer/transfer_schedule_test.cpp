#include "sim/transfer/transfer_schedule.hpp"

#include <catch2/catch_test_macros.hpp>

#include "core/check.hpp"
#include "sim/transfer/life_cycle.hpp"
#include "sim/transfer/transfer_defect.hpp"

using namespace kvarium;

namespace {

std::vector<std::string> names(const TransferSchedule& schedule) {
  std::vector<std::string> all;
  for (const TransferStep& step : schedule.steps()) all.push_back(step.name);
  return all;
}

TransferSchedule three_steps() {
  TransferSchedule schedule;
  for (const char* name : {"one", "two", "three"}) schedule.append({name, [](TransferWorld&) {}});
  return schedule;
}

}  // namespace

TEST_CASE("operations move before or after each other", "[sim][transfer]") {
  TransferSchedule schedule = three_steps();

  schedule.move_after("one", "three");
  CHECK(names(schedule) == std::vector<std::string>{"two", "three", "one"});
  schedule.move_before("one", "three");
  CHECK(names(schedule) == std::vector<std::string>{"two", "one", "three"});
  schedule.remove("one");
  CHECK(names(schedule) == std::vector<std::string>{"two", "three"});
}

TEST_CASE("an operation that is not there is refused by name", "[sim][transfer]") {
  TransferSchedule schedule = three_steps();

  CHECK_THROWS_AS(schedule.remove("four"), InputError);
  CHECK_THROWS_AS(schedule.move_before("one", "four"), InputError);
}

TEST_CASE("every defect says what it is, and where it fits names operations that are there", "[sim][transfer]") {
  CHECK(transfer_defects().names().size() >= 25);
  for (const std::string& name : transfer_defects().names()) {
    CAPTURE(name);
    const DefectTraits traits = transfer_defects().at(name).traits();
    CHECK_FALSE(traits.description.empty());
    CHECK(std::stoi(traits.fault_class) >= 1);
    CHECK(std::stoi(traits.fault_class) <= 21);
  }
}

TEST_CASE("the record is made before the cache is sent, and the check on landing after", "[sim][transfer]") {
  TransferShape shape;
  for (const bool uses_host_tier : {false, true}) {
    shape.uses_host_tier = uses_host_tier;
    const std::vector<std::string> all = names(life_cycle(shape));
    const auto place = [&](const char* operation) {
      return std::find(all.begin(), all.end(), step_name(RequestRole::watched, operation)) - all.begin();
    };

    CHECK(place("prefill") < place("record"));
    CHECK(place("record") < place("send"));
    CHECK(place("send") < place("check on landing"));
    CHECK(place("check on landing") < place("first step"));
  }
}

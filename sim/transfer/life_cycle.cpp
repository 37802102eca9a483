#include "sim/transfer/life_cycle.hpp"

namespace kvarium {
namespace {

/// Appends operations of one request.
class RequestSteps {
 public:
  RequestSteps(TransferSchedule& schedule, RequestRole request) : schedule_(schedule), request_(request) {}

  template <class Operation>
  void add(const std::string& operation, Operation run) {
    const RequestRole request = request_;
    schedule_.append({step_name(request, operation), [run, request](TransferWorld& world) { run(world, request); }});
  }

 private:
  TransferSchedule& schedule_;
  RequestRole request_;
};

void add_production(RequestSteps steps) {
  steps.add("allocate",
            [](TransferWorld& world, RequestRole request) { world.allocate(EngineRole::producer, request); });
  steps.add("prefill", [](TransferWorld& world, RequestRole request) {
    world.write(EngineRole::producer, request, {0, world.length(request)});
  });
  steps.add("record", [](TransferWorld& world, RequestRole request) { world.record(request); });
}

void add_store(RequestSteps steps) {
  steps.add("allocate in tier",
            [](TransferWorld& world, RequestRole request) { world.allocate(EngineRole::host_tier, request); });
  steps.add("plan store", [](TransferWorld& world, RequestRole request) {
    world.make_plan(EngineRole::producer, EngineRole::host_tier, request);
  });
  steps.add("store", [](TransferWorld& world, RequestRole request) {
    world.move(EngineRole::producer, EngineRole::host_tier, world.plan(EngineRole::producer, request));
  });
  steps.add("release after store",
            [](TransferWorld& world, RequestRole request) { world.release(EngineRole::producer, request); });
}

void add_transfer(RequestSteps steps) {
  steps.add("allocate at consumer",
            [](TransferWorld& world, RequestRole request) { world.allocate(EngineRole::consumer, request); });
  steps.add("plan", [](TransferWorld& world, RequestRole request) {
    world.make_plan(world.last_source(), EngineRole::consumer, request);
  });
  steps.add("check at source",
            [](TransferWorld& world, RequestRole request) { world.check(request, CheckPoint::source); });
  steps.add("send", [](TransferWorld& world, RequestRole request) {
    world.move(world.last_source(), EngineRole::consumer, world.plan(world.last_source(), request));
  });
  steps.add("check on landing",
            [](TransferWorld& world, RequestRole request) { world.check(request, CheckPoint::landing); });
  steps.add("release", [](TransferWorld& world, RequestRole request) { world.release(world.last_source(), request); });
}

}  // namespace

TransferSchedule life_cycle(const TransferShape& shape) {
  TransferSchedule schedule;
  const RequestRole served[] = {RequestRole::neighbour, RequestRole::watched};
  for (const RequestRole request : served) {
    add_production({schedule, request});
    if (shape.uses_host_tier) add_store({schedule, request});
    add_transfer({schedule, request});
  }
  for (const RequestRole request : served) {
    RequestSteps(schedule, request).add("load table", [](TransferWorld& world, RequestRole role) {
      world.load_table(role);
    });
  }
  for (const char* step : {"first step", "second step"}) {
    for (const RequestRole request : served) {
      RequestSteps(schedule, request).add(step, [](TransferWorld& world, RequestRole role) { world.step(role); });
    }
  }
  return schedule;
}

}  // namespace kvarium

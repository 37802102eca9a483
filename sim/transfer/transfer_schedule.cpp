#include "sim/transfer/transfer_schedule.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace kvarium {

std::string step_name(RequestRole request, const std::string& operation) {
  return to_string(request) + ": " + operation;
}

std::ptrdiff_t TransferSchedule::index_of(const std::string& name) const {
  const auto found = std::ranges::find(steps_, name, &TransferStep::name);
  KVARIUM_VALIDATE(found != steps_.end(), "the transfer has no operation '", name,
                   "'; the defect does not fit this path: set transfer.path otherwise");
  return found - steps_.begin();
}

TransferStep TransferSchedule::take(const std::string& name) {
  const auto place = steps_.begin() + index_of(name);
  TransferStep step = std::move(*place);
  steps_.erase(place);
  return step;
}

void TransferSchedule::insert_before(const std::string& name, TransferStep step) {
  steps_.insert(steps_.begin() + index_of(name), std::move(step));
}

void TransferSchedule::insert_after(const std::string& name, TransferStep step) {
  steps_.insert(steps_.begin() + index_of(name) + 1, std::move(step));
}

void TransferSchedule::move_before(const std::string& name, const std::string& other) {
  insert_before(other, take(name));
}

void TransferSchedule::move_after(const std::string& name, const std::string& other) {
  insert_after(other, take(name));
}

void TransferSchedule::replace(const std::string& name, std::function<void(TransferWorld&)> run) {
  steps_[static_cast<std::size_t>(index_of(name))].run = std::move(run);
}

void TransferSchedule::remove(const std::string& name) { take(name); }

void TransferSchedule::run(TransferWorld& world) const {
  for (const TransferStep& step : steps_) step.run(world);
}

}  // namespace kvarium

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/transfer/transfer_world.hpp"

namespace kvarium {

/// One operation on a world.
struct TransferStep {
  std::string name;
  std::function<void(TransferWorld&)> run;
};

/// The name of a request's operation, such as "watched: send".
std::string step_name(RequestRole request, const std::string& operation);

/// Operations in the order in which they happen. A defect changes that order, or an operation.
/// Errors of all changes: InputError for a name that is not there.
class TransferSchedule {
 public:
  void append(TransferStep step) { steps_.push_back(std::move(step)); }
  void insert_before(const std::string& name, TransferStep step);
  void insert_after(const std::string& name, TransferStep step);
  void move_before(const std::string& name, const std::string& other);
  void move_after(const std::string& name, const std::string& other);
  void replace(const std::string& name, std::function<void(TransferWorld&)> run);
  void remove(const std::string& name);

  void run(TransferWorld& world) const;
  const std::vector<TransferStep>& steps() const { return steps_; }

 private:
  std::ptrdiff_t index_of(const std::string& name) const;
  TransferStep take(const std::string& name);

  std::vector<TransferStep> steps_;
};

}  // namespace kvarium

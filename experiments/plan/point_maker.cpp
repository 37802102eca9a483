#include "experiments/plan/point_maker.hpp"

#include "core/check.hpp"
#include "experiments/config/fault_rules.hpp"

namespace kvarium {

PointMaker::PointMaker(const PointConfig& start, const std::vector<const Field*>& fields)
    : given_(start.base), last_(fields.size(), nullptr), point_(start) {
  const std::vector<FieldPointer> all = field_pointers(given_);
  for (const Field* field : fields) {
    members_.push_back(all.at(static_cast<std::size_t>(field - base_fields().fields().data())));
  }
}

PointConfig& PointMaker::make(const std::vector<const FieldValue*>& values) {
  KVARIUM_EXPECT(values.size() == members_.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == last_[i]) continue;
    set_value(members_[i], *values[i]);
    last_[i] = values[i];
  }
  point_.base = given_;
  point_.base.fault = resolved_fault(given_.fault);
  return point_;
}

}  // namespace kvarium

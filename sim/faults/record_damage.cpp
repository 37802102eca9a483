#include "sim/faults/fault_model.hpp"

namespace kvarium {
namespace {

RecordDamage damage_named(const std::string& name) {
  for (std::size_t i = 0; i < record_damage_names().size(); ++i) {
    if (record_damage_names()[i] == name) return static_cast<RecordDamage>(i);
  }
  return RecordDamage::flipped_bit;
}

/// The checksum record of an attended block is damaged while the data are right: a bit flips, it becomes 0, it is lost,
/// or two blocks have each other's. Source: sglang#39500 (0 means "not computed"), tair#338 (0 is a value),
/// sglang#22716 (all stages write one slot).
class RecordDamageModel final : public FaultModel {
 public:
  FaultTraits traits() const override {
    return {"the checksum record of a block is damaged, lost or another's",
            "21",
            {"damage"},
            {FaultStage::after_producer_sum, FaultStage::in_flight}};
  }

  void inject(Injection& injection) const override {
    const std::vector<LogicalBlock>& entries = injection.target().entries();
    const RecordDamage damage = damage_named(injection.choose(&FaultParameters::damage));
    const auto index = static_cast<std::size_t>(injection.below(std::ssize(entries)));
    const std::uint64_t draw = injection.random()();
    RecordChange change{damage, entries[index].sequence, entries[index].logical_block, 0, 0, draw};
    if (damage == RecordDamage::exchanged) {
      if (entries.size() < 2) return injection.refuse("there is a single record");
      const auto skip = static_cast<std::size_t>(injection.below(std::ssize(entries) - 1));
      const LogicalBlock& other = entries[skip < index ? skip : skip + 1];
      change.other_sequence = other.sequence;
      change.other_logical_block = other.logical_block;
    }
    injection.change_record(change);
    injection.set_detail(record_damage_names()[static_cast<std::size_t>(damage)]);
    injection.strike();
  }
};

}  // namespace

void register_record_damage(Registry<FaultModel>& registry) {
  registry.add("record_damage", std::make_unique<RecordDamageModel>());
}

}  // namespace kvarium

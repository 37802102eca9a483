#include "sim/faults/fault_record.hpp"

#include "core/check.hpp"

namespace kvarium {
namespace {

std::byte* place_of(const ByteChange& change, const FaultTarget& target) {
  const auto layers = static_cast<std::int64_t>(target.layers().size());
  KVARIUM_VALIDATE(change.layer >= 0 && change.layer < layers, "fault record names layer ", change.layer,
                   "; the caches have layers 0 to ", layers - 1);
  return address_of(target.layers()[static_cast<std::size_t>(change.layer)], {change.tensor, change.offset});
}

/// Replaces `from` by `to` in every changed byte, after checking all of them.
void replace(const FaultRecord& record, const FaultTarget& target, std::uint8_t ByteChange::*from,
             std::uint8_t ByteChange::*to) {
  for (const ByteChange& change : record.changes) {
    const auto found = std::to_integer<int>(*place_of(change, target));
    KVARIUM_VALIDATE(found == change.*from, "layer ", change.layer, " ", to_string(change.tensor), " byte ",
                     change.offset, " holds ", found, ", the fault record expects ", int{change.*from},
                     "; use the caches the record belongs to");
  }
  for (const ByteChange& change : record.changes) *place_of(change, target) = std::byte{change.*to};
}

}  // namespace

std::string to_string(KvTensor tensor) { return tensor == KvTensor::key ? "key" : "value"; }

void apply(const FaultRecord& record, const FaultTarget& target) {
  replace(record, target, &ByteChange::before, &ByteChange::after);
}

void revert(const FaultRecord& record, const FaultTarget& target) {
  replace(record, target, &ByteChange::after, &ByteChange::before);
}

}  // namespace kvarium

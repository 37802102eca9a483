#include "sim/faults/injection.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "sim/faults/site_description.hpp"

namespace kvarium {

void Injection::begin(std::string_view model, const FaultParameters& parameters, const CounterRandom& random) {
  parameters_ = &parameters;
  random_ = random;
  record_.clear();
  record_.model = model;
  reason_.clear();
  blocks_.clear();
  first_changes_.clear();
  if (target_.num_tokens() == 0) refuse("the batch attends no token");
}

const std::string& Injection::choose(std::string FaultParameters::*setting) {
  const std::string& value = parameters_->*setting;
  if (value != "any") return value;
  const std::vector<std::string>& allowed = fault_parameter_info(setting).allowed;
  return allowed[static_cast<std::size_t>(1 + below(std::ssize(allowed) - 1))];
}

StruckBlock Injection::draw_block() {
  KVARIUM_EXPECT(target_.num_tokens() > 0);
  const std::int64_t layer = draw_layer();
  return {layer, target_.spans()[static_cast<std::size_t>(below(std::ssize(target_.spans())))]};
}

DrawnToken Injection::draw_token(std::int64_t layer) {
  const AttendedToken token = target_.token(below(target_.num_tokens()));
  return {{layer, token.span}, token.token};
}

StruckBlock Injection::block_of(std::int64_t layer, std::int64_t physical_block) const {
  const std::vector<AttendedSpan>& spans = target_.spans();
  const auto span = std::ranges::lower_bound(spans, physical_block, {}, &AttendedSpan::physical_block);
  if (span != spans.end() && span->physical_block == physical_block) return {layer, *span};
  return {layer, {physical_block, 0, 0, no_place, no_place, 0}};
}

std::uint8_t Injection::present(const StruckBlock& block, const CellByte& place) const {
  const PagedCacheView& view = cache(block.layer);
  return std::to_integer<std::uint8_t>(*address_of(view, locate_byte(view, block.span.physical_block, place)));
}

void Injection::change(const StruckBlock& block, const CellByte& place, std::uint8_t after) {
  const CacheGeometry& geometry = target_.geometry();
  const auto index = static_cast<std::size_t>(cell_index(geometry, place));
  const KvTensor tensor = 2 * place.byte < cell_bytes(geometry) ? KvTensor::key : KvTensor::value;
  const PagedCacheView& view = cache(block.layer);
  const MemoryByte memory = target_.block_memory().locate(block.span.physical_block, index, tensor);
  const auto before = std::to_integer<std::uint8_t>(*address_of(view, memory));
  if (before == after) return;
  const bool is_known = !blocks_.empty() && blocks_.back().layer == block.layer &&
                        blocks_.back().span.physical_block == block.span.physical_block;
  if (!is_known) {
    blocks_.push_back(block);
    first_changes_.push_back(record_.changes.size());
  }
  const auto narrow = [](std::int64_t number) { return static_cast<std::int32_t>(number); };
  record_.changes.push_back({memory.offset, narrow(block.layer), narrow(block.span.physical_block),
                             narrow(place.kv_head), narrow(place.token), narrow(place.byte), memory.tensor, before,
                             after});
}

void Injection::replace(const StruckBlock& block, const std::vector<std::uint8_t>& cells) {
  for_each_cell_byte(target_.geometry(),
                     [&](std::size_t index, const CellByte& place) { change(block, place, cells[index]); });
}

void Injection::change_entry(const LogicalBlock& block, std::int64_t physical_block, bool brings_record) {
  const std::int64_t before = target_.table_entry(block);
  if (before == physical_block) return;
  record_.table_changes.push_back({block.sequence, block.logical_block, static_cast<std::int32_t>(before),
                                   static_cast<std::int32_t>(physical_block), brings_record});
}

void Injection::change_reading(ReadQuantity quantity, std::int64_t index, double after) {
  const double before = target_.reading(quantity, index);
  if (before != after) record_.reading_changes.push_back({quantity, index, before, after});
}

void Injection::change_record(const RecordChange& change) { record_.record_changes.push_back(change); }

void Injection::strike(Reach reach) {
  if (!is_applicable()) return;
  if (!record_.record_changes.empty()) {
    describe_record_fault(record_, target_);
  } else if (!record_.table_changes.empty()) {
    describe_table_fault(record_, target_);
  } else if (!record_.reading_changes.empty()) {
    describe_reading_fault(record_, target_);
  } else {
    strike_cache(reach);
  }
  if (is_applicable()) write_changes(record_, target_);
}

void Injection::strike_cache(Reach reach) {
  if (record_.changes.empty()) {
    return refuse(reach == Reach::attended ? "no attended byte would change" : "no byte would change");
  }
  describe_cache_fault(record_, target_, {blocks_, first_changes_});
  if (reach == Reach::attended && record_.num_changed_attended_bytes == 0) refuse("no attended byte would change");
}

void Injection::refuse(std::string_view reason) {
  reason_ = reason;
  record_.clear();
}

FaultOutcome Injection::outcome() const {
  if (is_applicable()) return {record_, ""};
  return {std::nullopt, reason_};
}

}  // namespace kvarium

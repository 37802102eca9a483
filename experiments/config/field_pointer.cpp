#include "experiments/config/field_pointer.hpp"

#include "core/enum_names.hpp"

namespace kvarium {
namespace {

void assign(bool& member, const FieldValue& value) { member = std::get<bool>(value); }
void assign(int& member, const FieldValue& value) { member = static_cast<int>(std::get<std::int64_t>(value)); }
void assign(std::int64_t& member, const FieldValue& value) { member = std::get<std::int64_t>(value); }
void assign(std::uint64_t& member, const FieldValue& value) {
  member = static_cast<std::uint64_t>(std::get<std::int64_t>(value));
}
void assign(double& member, const FieldValue& value) { member = std::get<double>(value); }
void assign(std::string& member, const FieldValue& value) { member = std::get<std::string>(value); }
void assign(CacheLayout& member, const FieldValue& value) { member = parse_cache_layout(std::get<std::string>(value)); }
void assign(ElementType& member, const FieldValue& value) { member = parse_element_type(std::get<std::string>(value)); }
void assign(Device& member, const FieldValue& value) {
  member = std::get<std::string>(value) == to_string(Device::cpu) ? Device::cpu : Device::cuda;
}
void assign(FaultStage& member, const FieldValue& value) { member = parse_fault_stage(std::get<std::string>(value)); }
void assign(ByteOrder& member, const FieldValue& value) {
  member = parse_enum<ByteOrder>("byte order", std::get<std::string>(value), byte_order_names());
}
void assign(CanaryData& member, const FieldValue& value) {
  member = parse_enum<CanaryData>("canary data", std::get<std::string>(value), canary_data_names());
}

FieldValue value_of(bool member) { return member; }
FieldValue value_of(int member) { return std::int64_t{member}; }
FieldValue value_of(std::int64_t member) { return member; }
FieldValue value_of(std::uint64_t member) { return static_cast<std::int64_t>(member); }
FieldValue value_of(double member) { return member; }
FieldValue value_of(const std::string& member) { return member; }
FieldValue value_of(CacheLayout member) { return to_string(member); }
FieldValue value_of(ElementType member) { return to_string(member); }
FieldValue value_of(Device member) { return to_string(member); }
FieldValue value_of(FaultStage member) { return to_string(member); }
FieldValue value_of(ByteOrder member) { return to_string(member); }
FieldValue value_of(CanaryData member) { return to_string(member); }

}  // namespace

FieldType type_of(const FieldPointer& pointer) { return static_cast<FieldType>(get_value(pointer).index()); }

FieldValue get_value(const FieldPointer& pointer) {
  return std::visit([](auto* member) { return value_of(*member); }, pointer);
}

void set_value(const FieldPointer& pointer, const FieldValue& value) {
  std::visit([&](auto* member) { assign(*member, value); }, pointer);
}

}  // namespace kvarium

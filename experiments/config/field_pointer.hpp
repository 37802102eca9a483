#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "core/cache_layout.hpp"
#include "core/element_type.hpp"
#include "experiments/config/field_value.hpp"
#include "kernels/attention/attention_family.hpp"
#include "kernels/checksums/checksum_parameters.hpp"
#include "sim/faults/fault_stage.hpp"

namespace kvarium {

/// A member of a configuration struct.
using FieldPointer = std::variant<bool*, int*, std::int64_t*, std::uint64_t*, double*, std::string*, CacheLayout*,
                                  ElementType*, Device*, FaultStage*, ByteOrder*, CanaryData*>;

/// What values the member is read from.
FieldType type_of(const FieldPointer& pointer);

/// The member's value; enumerators by name.
FieldValue get_value(const FieldPointer& pointer);

/// Precondition: `value` has the member's type and lies within its FieldInfo.
void set_value(const FieldPointer& pointer, const FieldValue& value);

}  // namespace kvarium

#pragma once

#include <cstddef>

#include "sim/faults/cell_bytes.hpp"
#include "sim/faults/fault_target.hpp"

namespace kvarium {

/// Where a fault strikes a cache: a block of a layer, by one of its attended spans. A block that nobody attends has a
/// span without tokens.
struct StruckBlock {
  std::int64_t layer = 0;
  AttendedSpan span;
};

/// The place of one changed byte: an index into a list of struck blocks, and the byte of a cell.
struct StruckByte {
  std::size_t block = 0;
  CellByte place;
};

}  // namespace kvarium

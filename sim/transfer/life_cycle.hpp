#pragma once

#include "sim/transfer/transfer_schedule.hpp"

namespace kvarium {

/// The correct order of operations of two requests, the neighbour's transfer first, then the watched one's, then two
/// decode steps of both. Operations of a request, in order:
///
/// | operation | what it does |
/// | allocate, prefill, record | the producer takes blocks, computes the cache, sums it |
/// | store | only with a host tier: the cache goes to the tier, the producer's blocks are released |
/// | check at source | the cache is held against its record where it is sent from |
/// | allocate at consumer, plan, send | blocks are taken, descriptors made from both block tables, bytes moved |
/// | check on landing | the scheduler holds what arrived against the record |
/// | release | the blocks it was sent from are given back |
/// | load table, first step, second step | attention's block table is filled; each step verifies and attends |
TransferSchedule life_cycle(const TransferShape& shape);

}  // namespace kvarium

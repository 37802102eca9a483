#pragma once

namespace kvarium {

/// Lets the next kernel on the stream start, if it was launched as a dependent one. Needs sm_90.
inline void allow_dependents() { asm volatile("griddepcontrol.launch_dependents;" ::: "memory"); }

/// Waits until everything the kernels before this one wrote can be read. Needs sm_90.
inline void wait_for_predecessors() { asm volatile("griddepcontrol.wait;" ::: "memory"); }

}  // namespace kvarium

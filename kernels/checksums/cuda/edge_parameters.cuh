#pragma once

namespace kvarium {

/// Arguments of edge_crc's kernel beside the cells; trivially copyable, read by the host's compiler and by the
/// device's.
struct EdgeParameters {
  long long buffer_bytes;  ///< of a block in one buffer
  long long edge_bytes;    ///< of either end
  int is_value;            ///< whether this launch takes the V of its layers; else their K, or both together
  int is_first;            ///< whether the register begins with this launch
  int is_last;             ///< whether it ends
};

}  // namespace kvarium

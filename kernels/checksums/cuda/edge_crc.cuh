#include "kernels/checksums/cuda/cell_rows.cuh"
#include "kernels/checksums/cuda/crc_polynomials.cuh"
#include "kernels/checksums/cuda/edge_parameters.cuh"

// CRC-32 of the first and last bytes of a block in each buffer: a thread for each row, launch after launch.

namespace kvarium {

constexpr int num_threads = 128;

inline uint32 after_edge(uint32 register_bits, const uint8* bytes, int64 count) {
  for (int64 i = 0; i < count; ++i) register_bits = Crc32Ring::shifted(register_bits ^ bytes[i], 8);
  return register_bits;
}

}  // namespace kvarium

extern "C" __global__ void __launch_bounds__(kvarium::num_threads)
    edge_crc(const __grid_constant__ kvarium::CellSumParameters parameters, const kvarium::EdgeParameters edges) {
  using namespace kvarium;
  const int64 row = int64{blockIdx.x} * num_threads + threadIdx.x;
  if (row >= parameters.num_rows) return;
  const int64 block = parameters.block_ids[row];
  uint32 crc = edges.is_first != 0 ? Crc32Ring::edge : static_cast<uint32>(parameters.out[row]);
  if (block >= 0 && block < parameters.num_blocks) {
    for (int layer = 0; layer < parameters.num_layers; ++layer) {
      const CellRow cells = row_of(parameters, layer, row);
      const uint8* const buffer = edges.is_value != 0 ? cells.value : cells.key;
      crc = after_edge(crc, buffer, edges.edge_bytes);
      crc = after_edge(crc, buffer + edges.buffer_bytes - edges.edge_bytes, edges.edge_bytes);
    }
  }
  parameters.out[row] = edges.is_last != 0 ? crc ^ Crc32Ring::edge : crc;
}

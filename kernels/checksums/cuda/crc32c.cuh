#include "kernels/checksums/cuda/crc_walk.cuh"

extern "C" __global__ void __launch_bounds__(kvarium::walk_threads)
    walk(const __grid_constant__ kvarium::CellSumParameters parameters) {
  kvarium::walk_cells<kvarium::CrcWalk<kvarium::Crc32cRing>>(parameters);
}

extern "C" __global__ void __launch_bounds__(kvarium::walk_threads)
    finish(const __grid_constant__ kvarium::CellSumParameters parameters) {
  kvarium::finish_rows(parameters, kvarium::finish_crc<kvarium::Crc32cRing>);
}

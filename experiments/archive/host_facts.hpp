#pragma once

#include "experiments/archive/archive_content.hpp"

namespace kvarium {

/// The machine: host name, kernel, CPU model, cores this process may use, memory (bytes), and the environment variables
/// that change results or speed (OMP_*, KOKKOS_*, CUDA_*, SLURM_*). Source: uname(2), /proc, environ(7).
RunProvenance host_facts();

}  // namespace kvarium

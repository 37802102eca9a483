#pragma once

#include <cstddef>
#include <string>

namespace kvarium {

/// The functions of NVRTC, NVIDIA's run-time compiler, that kvarium calls; opened on first use, never linked.
/// Prototypes are written here from NVIDIA's documentation, so that a build needs no CUDA header. A result of 0 is
/// success.
struct NvrtcLibrary {
  using Program = void*;

  int (*version)(int* major, int* minor);
  const char* (*error_string)(int result);
  int (*create_program)(Program* program, const char* source, const char* name, int num_headers,
                        const char* const* headers, const char* const* include_names);
  int (*compile_program)(Program program, int num_options, const char* const* options);
  int (*destroy_program)(Program* program);
  int (*log_size)(Program program, std::size_t* bytes);
  int (*log)(Program program, char* text);
  int (*cubin_size)(Program program, std::size_t* bytes);
  int (*cubin)(Program program, char* code);
  int (*num_architectures)(int* count);
  int (*architectures)(int* values);

  std::string path;  ///< file it was loaded from
  int major = 0;
  int minor = 0;

  /// "nvrtc 13.0": what tells two compilers apart.
  std::string identity() const;
  /// Whether it compiles for compute capability `major`.`minor`.
  bool compiles_for(int capability_major, int capability_minor) const;
};

/// NVRTC of this machine, or nullptr. Looked for as libnvrtc.so.13 and .12: the file or folder $KVARIUM_NVRTC; the
/// folders lib64 and lib of $CUDA_HOME and $CUDA_PATH; where the dynamic linker looks; /usr/local/cuda/lib64.
const NvrtcLibrary* find_nvrtc_library();

/// Errors: NotConfigured that says what to install.
const NvrtcLibrary& nvrtc_library();

}  // namespace kvarium

#!/usr/bin/env bash
# Makes sure that the tests can compile CUDA sources, which needs no GPU: where there is no NVRTC, installs it into .venv.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[[ -z "$("$root/cmake/setup/find_nvrtc.sh")" ]] || exit 0
say "no CUDA toolkit was found: installing its run-time compiler (about 90 MB) into .venv"
"$root/cmake/setup/python.sh" nvrtc
[[ -n "$("$root/cmake/setup/find_nvrtc.sh")" ]] ||
    fail "nvidia-cuda-nvrtc holds no libnvrtc.so.12 or .13; install a CUDA toolkit and name its folder in KVARIUM_NVRTC"

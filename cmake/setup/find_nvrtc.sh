#!/usr/bin/env bash
# Prints the folder of NVRTC, NVIDIA's run-time compiler: a CUDA toolkit's, the dynamic linker's, or that of the Python
# package nvidia-cuda-nvrtc in .venv; or nothing. KVARIUM_NVRTC (a file or a folder) goes before all.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

if [[ -n "${KVARIUM_NVRTC:-}" ]]; then
    printf '%s\n' "$KVARIUM_NVRTC"
    exit
fi

linked="$(PATH="$PATH:/sbin:/usr/sbin" ldconfig -p 2>/dev/null | sed -nE 's/.*libnvrtc\.so\.1[23] .*=> (.*)\/[^/]+$/\1/p' | head -n 1)" || true
for folder in ${CUDA_HOME:+"$CUDA_HOME/lib64" "$CUDA_HOME/lib"} ${CUDA_PATH:+"$CUDA_PATH/lib64" "$CUDA_PATH/lib"} \
    ${linked:+"$linked"} /usr/local/cuda/lib64 \
    "$root"/.venv/lib/python3*/site-packages/nvidia/{cu13,cuda_nvrtc}/lib; do
    for library in "$folder"/libnvrtc.so.1[23]; do
        [[ -r "$library" ]] || continue
        printf '%s\n' "$folder"
        exit
    done
done

#!/usr/bin/env bash
# Configures a CMake preset with what the set-up found, unless the build folder is configured so already.
# Usage: configure.sh PRESET FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

preset="$1"
folder="$root/$2"

kokkos="$("$root/cmake/setup/find_kokkos.sh")"
[[ -n "$kokkos" ]] || fail "no Kokkos with OpenMP or Threads; build one with \`make setup\`"

# Presets without the Python module do not use all of these; CMake need not warn about it.
arguments=(
    --preset "$preset" --no-warn-unused-cli
    "-DKokkos_DIR=$kokkos"
    "-DPython_EXECUTABLE=$root/.venv/bin/python"
    "-DPython3_EXECUTABLE=$root/.venv/bin/python"
    "-DKVARIUM_TEST_NVRTC=$("$root/cmake/setup/find_nvrtc.sh")"
    "-Dpybind11_DIR=$("$root/.venv/bin/python" -m pybind11 --cmakedir)"
)

# Ninja watches the CMake files by itself, but neither the presets nor this command line.
record="$state/configured_$(basename "$folder")"
wanted="${arguments[*]} $(sha256sum <"$root/CMakePresets.json")"
[[ -f "$folder/build.ninja" && "$(cat "$record" 2>/dev/null)" == "$wanted" ]] && exit

cd "$root"
cmake "${arguments[@]}"
mkdir -p "$state"
printf '%s\n' "$wanted" >"$record"

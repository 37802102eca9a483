#!/usr/bin/env bash
# Prints the CMake folder of a Kokkos with a parallel host backend, or nothing.
# Looks where CMake looks (environment Kokkos_ROOT and CMAKE_PREFIX_PATH included), then in the cache.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# A probe takes about a second, so its answer is kept as long as the places to look in stay the same.
places="$cache:${Kokkos_ROOT:-}:${Kokkos_DIR:-}:${CMAKE_PREFIX_PATH:-}"
record="$state/kokkos_directory"
if [[ -r "$record" ]]; then
    { read -r directory && IFS= read -r recorded_places; } <"$record" || true
    if [[ "${recorded_places:-}" == "$places" && -r "${directory:-}/KokkosConfig.cmake" ]]; then
        printf '%s\n' "$directory"
        exit
    fi
fi

probe() {
    local folder found=""
    folder="$(mktemp -d)"
    if cmake -S "$root/cmake/setup/find_kokkos" -B "$folder/build" -DRESULT="$folder/result" "$@" \
        >"$folder/log" 2>&1; then
        found="$(cat "$folder/result")"
    fi
    rm -rf "$folder"
    printf '%s' "$found"
}

directory="$(probe)"
if [[ -z "$directory" ]]; then
    newest="$(find "$cache" -maxdepth 1 -name 'kokkos-*-openmp' 2>/dev/null | sort --version-sort | tail -n 1)"
    [[ -z "$newest" ]] || directory="$(probe -DKokkos_ROOT="$newest")"
fi
[[ -n "$directory" ]] || exit 0

mkdir -p "$state"
printf '%s\n%s\n' "$directory" "$places" >"$record"
printf '%s\n' "$directory"

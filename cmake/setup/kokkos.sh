#!/usr/bin/env bash
# Makes sure that there is a Kokkos with a parallel host backend: the machine's, the cache's, or one built now.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[[ -z "$("$root/cmake/setup/find_kokkos.sh")" ]] || exit 0
is_debian || fail "no Kokkos 3.4 to 5.x with OpenMP or Threads was found: install one and name it in Kokkos_ROOT"
exec "$root/cmake/setup/build_kokkos.sh"

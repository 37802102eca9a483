#!/usr/bin/env bash
# Builds Kokkos with OpenMP into the cache, from Debian's source package trilinos: Debian's own binary package of
# Kokkos is serial only. Downloads about 170 MB, compiles for about half a minute on two cores, keeps only the result.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
source "$(dirname "${BASH_SOURCE[0]}")/private_apt.sh"

mkdir -p "$cache"
exec {lock}>"$cache/kokkos.lock"
flock --nonblock "$lock" || { say "waiting for another set-up that builds Kokkos"; flock "$lock"; }
[[ -z "$("$root/cmake/setup/find_kokkos.sh")" ]] || exit 0  # the other set-up has built it

rm -rf "$cache"/kokkos-build.*  # left by a killed set-up; the lock says that nobody uses it
work="$(mktemp -d "$cache/kokkos-build.XXXXXX")"
private_apt_folder=""
trap 'rm -rf "$work" $private_apt_folder' EXIT
trap 'exit 130' INT TERM HUP

say "Kokkos with OpenMP is not on this machine: building it from Debian's source package trilinos (about 170 MB) into $cache"
private_apt_open deb-src "$(debian_codename)"
(cd "$private_apt_folder/download" && private_apt apt-get --quiet=2 source --download-only --tar-only trilinos >&2) ||
    fail "the source package trilinos could not be downloaded; see above"

say "unpacking Kokkos"
mkdir "$work/source"
tar --extract --file "$(echo "$private_apt_folder"/download/trilinos_*.orig.tar.*)" --directory "$work/source" \
    --strip-components=3 --wildcards '*/packages/kokkos/*'
rm -rf "$private_apt_folder"

# Written in capitals in some versions; the parts come in the order major, minor, patch.
version="$(sed -nE 's/^ *set *\( *Kokkos_VERSION_(MAJOR|MINOR|PATCH) +([0-9]+) *\).*/\2/Ip' "$work/source/CMakeLists.txt" | paste -sd.)"
[[ -n "$version" ]] || fail "the source package trilinos holds no Kokkos whose version can be read"
prefix="$cache/kokkos-$version-openmp"

compile() {
    cmake -S "$work/source" -B "$work/build" -G Ninja \
        -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_INSTALL_PREFIX="$prefix" \
        -DCMAKE_POSITION_INDEPENDENT_CODE=ON \
        -DKokkos_ENABLE_OPENMP=ON \
        -DKokkos_ENABLE_SERIAL=ON &&
        cmake --build "$work/build" --parallel "$jobs" &&
        DESTDIR="$work/stage" cmake --install "$work/build"
}

say "compiling Kokkos $version"
log="$cache/kokkos_build.log"
compile >"$log" 2>&1 || fail "Kokkos did not compile; the reason stands at the end of $log"

# Moved within the cache at once: an interrupted set-up leaves no half an installation.
rm -rf "$prefix"
mv "$work/stage$prefix" "$prefix"
say "Kokkos $version is in $prefix"

#!/usr/bin/env bash
# Installs the Debian packages that the project is built with, if any is missing. The only step that needs root.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
source "$(dirname "${BASH_SOURCE[0]}")/private_apt.sh"

packages=(
    build-essential cmake ninja-build
    libhdf5-dev libyaml-cpp-dev libcli11-dev libfmt-dev nlohmann-json3-dev
    zlib1g-dev libxxhash-dev libisal-dev libssl-dev
    python3 python3-dev python3-venv
    ca-certificates
)

if ! is_debian; then
    say "this is not Debian, so nothing is installed; needed: a C++20 compiler, CMake 3.25, Ninja, HDF5, yaml-cpp, CLI11," \
        "fmt, Catch2 3, nlohmann-json, zlib, xxHash, ISA-L, OpenSSL, Kokkos 3.4 to 5.x with OpenMP or Threads, Python 3.11 with venv"
    exit
fi

installed="$(dpkg-query --show --showformat='${db:Status-Status} ${Package} ${Version}\n' \
    "${packages[@]}" libcatch2-dev 2>/dev/null || true)"

missing=()
for package in "${packages[@]}"; do
    [[ "$installed" == *"installed $package "* ]] || missing+=("$package")
done
# The tests need version 3; Debian 12 itself has version 2 under the same name.
catch2_missing=()
[[ "$installed" =~ (^|$'\n')"installed libcatch2-dev "[3-9] ]] || catch2_missing=(libcatch2-dev)

((${#missing[@]} + ${#catch2_missing[@]})) || exit 0

say "Debian packages to install:" "${missing[@]}" ${catch2_missing:+"libcatch2-dev (version 3)"} "and what they depend on"
if ((EUID != 0)); then
    fail "installing packages needs root. Run this one command, then try again:
    sudo bash $root/cmake/setup/packages.sh"
fi

private_apt_folder=""
trap 'rm -rf $private_apt_folder' EXIT
export DEBIAN_FRONTEND=noninteractive
install=(apt-get install --yes --quiet=1 --no-install-recommends -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0)

apt-get update --quiet=1 </dev/null >&2 || say "some package index could not be read; going on with what there is"
((${#missing[@]} == 0)) || "${install[@]}" "${missing[@]}" </dev/null >&2

if ((${#catch2_missing[@]})); then
    if apt-cache policy libcatch2-dev | grep --quiet 'Candidate: [3-9]'; then
        "${install[@]}" libcatch2-dev </dev/null >&2
    else
        suite="$(debian_codename)-backports"
        say "libcatch2-dev 3 comes from $suite, read beside the machine's package sources, which stay as they are"
        private_apt_open deb "$suite"
        private_apt "${install[@]}" --target-release "$suite" libcatch2-dev >&2
    fi
fi

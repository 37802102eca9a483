# Shared by the set-up scripts; meant to be sourced.
# shellcheck shell=bash disable=SC2034

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
cache="$(realpath --canonicalize-missing "${KVARIUM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/kvarium}")"
state="$root/build/setup"
jobs="${JOBS:-$(nproc)}"

# Messages go to stderr: the standard output of a script is its result, for the script that called it.
say() { printf 'setup: %s\n' "$*" >&2; }

# Exit code 2: the machine or the input must change before another try can succeed.
fail() {
    printf 'setup: error: %s\n' "$*" >&2
    exit 2
}

# Derivatives carry other versions under the same names, so only Debian itself is installed on automatically.
is_debian() (
    . /etc/os-release 2>/dev/null && [[ "${ID:-}" == debian ]] && command -v apt-get >/dev/null
)

debian_codename() (
    . /etc/os-release && printf '%s\n' "$VERSION_CODENAME"
)

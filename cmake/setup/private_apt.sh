# An apt configuration of our own, so that the machine's package sources are never changed; meant to be sourced.
# The mirror, proxies and credentials stay those that the machine is configured with.
# shellcheck shell=bash

# The mirror this machine takes its Debian release from. Before the first `apt-get update` apt does not know who runs
# a mirror, so an entry for this release is taken then; the archive's signature is checked in either case.
debian_mirror() {
    local codename
    codename="$(debian_codename)"
    # shellcheck disable=SC2016  # apt expands these, not the shell
    apt-get indextargets --format '$(ORIGIN)|$(CODENAME)|$(RELEASE)|$(COMPONENT)|$(REPO_URI)' \
        'Identifier: Packages' 'Component: main' |
        awk -F'|' -v codename="$codename" '
            $1 == "Debian" && $2 == codename { known = known ? known : $5 }
            $3 == codename { likely = likely ? likely : $5 }
            END { print known ? known : likely }'
}

# private_apt_open TYPE SUITE: makes $private_apt_folder and fetches the index of `TYPE MIRROR SUITE main` into it.
# TYPE is deb or deb-src. The caller removes the folder.
private_apt_open() {
    local type="$1" suite="$2" mirror keyring=/usr/share/keyrings/debian-archive-keyring.gpg signed_by=""
    mirror="$(debian_mirror)"
    [[ -n "$mirror" ]] || fail "apt has no source for Debian $(debian_codename) (main); add one, then try again"
    [[ -r "$keyring" ]] && signed_by="[signed-by=$keyring]"

    private_apt_folder="$(mktemp -d)"
    mkdir -p "$private_apt_folder"/{lists/partial,archives/partial,download}
    if ((EUID == 0)); then  # apt then downloads as a user of its own, without rights
        chmod 755 "$private_apt_folder"
        chown _apt "$private_apt_folder/download"
    fi
    printf '%s %s %s %s main\n' "$type" "$signed_by" "$mirror" "$suite" >"$private_apt_folder/sources.list"
    private_apt apt-get --quiet=2 update >&2 || fail "the package index of $suite cannot be read from $mirror"
}

# private_apt COMMAND ARGUMENT...: runs apt-get or apt-cache with the private sources.
private_apt() {
    local command="$1"
    shift
    "$command" \
        -o Dir::Etc::SourceList="$private_apt_folder/sources.list" \
        -o Dir::Etc::SourceParts=/dev/null \
        -o Dir::State::Lists="$private_apt_folder/lists" \
        -o Dir::Cache::Archives="$private_apt_folder/archives" \
        -o Dir::Cache::pkgcache="" \
        -o Dir::Cache::srcpkgcache="" \
        "$@" </dev/null
}

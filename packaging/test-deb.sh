#!/bin/sh
# Installs a .deb in a bare system without Rust, uses it, removes it, and looks that nothing is left. It needs root and debootstrap.
#
#     sh packaging/test-deb.sh target/packages/papillon_VERSION_ARCHITECTURE.deb [SUITE [MIRROR]]
#
# SUITE is a release of Debian or Ubuntu that debootstrap knows: bookworm, which is Debian 12, unless it is named. One of Ubuntu needs its mirror.
# PAPILLON_ROOT=FOLDER is a root that debootstrap has made; it is copied and stays as it is.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
package=${1:?name the .deb}
suite=${2:-bookworm}
mirror=${3:-}

fail() {
    echo "deb test: $1" >&2
    exit 1
}

pass() {
    echo "ok: $1" >&2
}

[ "$(id -u)" -eq 0 ] || fail "run it as root, as a root of Debian is made"
command -v debootstrap >/dev/null || fail "debootstrap is missing: apt-get install debootstrap"
folder=$(mktemp -d)
root=$folder/root
end() {
    umount "$root/proc" 2>/dev/null || true
    rm -rf --one-file-system "$folder"
}
trap end EXIT
if [ -n "${PAPILLON_ROOT:-}" ]; then
    cp -a "$PAPILLON_ROOT" "$root"
else
    # shellcheck disable=SC2086 # Without a mirror, debootstrap takes its own.
    debootstrap --variant=minbase "$suite" "$root" $mirror >/dev/null || fail "debootstrap made no root of $suite; is there a network?"
fi
mount -t proc proc "$root/proc" || true
# People have their system with its updates, which debootstrap leaves out.
name=$(sed -n 's/^VERSION_CODENAME=//p' "$root/etc/os-release")
sources=$(sed "s/ $name / $name-updates /" "$root/etc/apt/sources.list")
echo "$sources" >>"$root/etc/apt/sources.list"

inside() {
    chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive XDG_RUNTIME_DIR=/tmp "$@"
}

# The files of the system, without those that dpkg and apt keep about packages.
files() {
    (cd "$root" && find . -path ./proc -prune -o -path ./var/lib/dpkg -prune -o -path ./var/lib/apt -prune -o -path ./var/cache -prune -o \
        -path ./var/log -prune -o -path ./tmp -prune -o -print | sort)
}

cp "$package" "$root/papillon.deb"
cp "$here/../assets/chord.wav" "$here/../assets/butterfly.png" "$root/tmp"
# What the package needs comes first, so that what it leaves behind is seen.
inside apt-get update -qq >/dev/null || fail "apt finds no packages; is there a network?"
inside apt-get install -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends libvulkan1 mesa-vulkan-drivers >/dev/null || fail "Vulkan cannot be installed; is there a network?"
files >"$folder/before"
inside dpkg --install /papillon.deb >/dev/null || fail "dpkg does not install it"
files | grep -vxF -f "$folder/before" | grep -v '^\./usr/' && fail "it installs files outside of /usr"
pass "installed, $(inside dpkg-query --show --showformat='${Installed-Size}' papillon) kB"
inside papillon --version | grep -q '^papillon ' || fail "--version says nothing"
inside papillon doctor >"$folder/doctor.txt" || { cat "$folder/doctor.txt"; fail "doctor finds a fault"; }
pass "doctor: $(grep -m 1 'GPU 0' "$folder/doctor.txt" || echo 'no GPU')"
inside papillon spectrum /tmp/butterfly.png -o /tmp/spectrum.png 2>/dev/null || fail "no spectrum of an image"
inside papillon spectrum /tmp/chord.wav -o /tmp/spectrum.csv 2>/dev/null || fail "no spectrum of a recording"
inside papillon snapshot --preset image -o /tmp/window.png /tmp/butterfly.png 2>/dev/null || fail "no picture of the window"
[ -s "$root/tmp/spectrum.png" ] && [ -s "$root/tmp/spectrum.csv" ] && [ -s "$root/tmp/window.png" ] || fail "an output is empty"
pass "a spectrum of an image and of a recording, and the window"
inside apt-get remove -y -qq --purge -o Dpkg::Use-Pty=0 papillon >/dev/null || fail "apt does not remove it"
# The settings and caches of a person are not the package's.
files | grep -vxF -f "$folder/before" | grep -v '^\./root/\.\(cache\|local\)' | grep . && fail "these files are left"
pass "removed, and nothing is left"

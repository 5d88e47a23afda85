#!/usr/bin/env bash
# Installs what Papillon needs from the system on Debian and Ubuntu, and nothing when all is there.
# Elsewhere it says what is needed. Rust itself is the one thing expected: https://rustup.rs
set -euo pipefail

# A linker for Rust; the Vulkan loader and Mesa's drivers, the software one among them; the libraries that the window loads at run time.
packages=(
    gcc libc6-dev
    libvulkan1 mesa-vulkan-drivers
    libx11-6 libx11-xcb1 libxcursor1 libxi6 libxrandr2 libxkbcommon0 libxkbcommon-x11-0
    libwayland-client0 libwayland-cursor0 libwayland-egl1
)

command -v cargo >/dev/null || { echo "setup: there is no cargo: install Rust from https://rustup.rs" >&2; exit 1; }
if [ "$(uname -s)" != Linux ]; then
    exit 0
fi
if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    echo "setup: no apt here; install a linker, a Vulkan driver (Mesa's lavapipe will do), libX11, libXcursor, libXi, libXrandr, libxkbcommon-x11 and libwayland-client if they are missing" >&2
    exit 0
fi

missing=()
for package in "${packages[@]}"; do
    if ! dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed; then
        missing+=("$package")
    fi
done
if [ "${#missing[@]}" -eq 0 ]; then
    exit 0
fi

echo "setup: installing ${missing[*]}" >&2
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "setup: as root, run: apt-get install ${missing[*]}" >&2; exit 1; }
    as_root=(sudo)
fi
# The lists may be old or absent; a source that does not answer is no reason to stop as long as the packages can be had.
"${as_root[@]}" apt-get update -qq || echo "setup: apt-get update failed; going on with the lists at hand" >&2
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2

#!/bin/sh
# Sets up the system, then does what its argument says. It needs a shell and Rust (https://rustup.rs), nothing else.
#
#     sh setup.sh run      opens the window; without a display, writes papillon.png and prints the timing
#     sh setup.sh test     runs all tests, then the program for two minutes at random; PAPILLON_GRID=all walks every grid to its end
#     sh setup.sh install  builds the program and adds it to the applications of the desktop
#     sh setup.sh package  builds an archive and a .deb into target/packages, and tries the archive
#     sh setup.sh site     builds the documentation as a site into target/site, with a picture of each layout
#     sh setup.sh check    format, lints, documentation, licences; warnings are errors
#     sh setup.sh          sets up only
#
# On Debian and Ubuntu it installs the packages that are missing, and says which. Elsewhere it says what is needed.
set -eu
cd "$(dirname "$0")"

# A linker for Rust; the Vulkan loader and Mesa's drivers, one of which is software; the libraries that the window loads at run time.
window="libvulkan1
    libx11-6 libx11-xcb1 libxcursor1 libxi6 libxrandr2 libxkbcommon0 libxkbcommon-x11-0
    libwayland-client0 libwayland-cursor0 libwayland-egl1"
packages="gcc libc6-dev mesa-vulkan-drivers $window"

fail() {
    echo "setup: $1" >&2
    exit 1
}

missing_packages() {
    for package in $packages; do
        state=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null) || state=absent
        [ "$state" = installed ] || printf '%s ' "$package"
    done
}

install_packages() {
    missing=$(missing_packages)
    [ -n "$missing" ] || return 0
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || fail "run as root: apt-get install $missing"
        as_root=sudo
    fi
    echo "setup: installing $missing" >&2
    # The package lists may be old or absent. A source that does not answer is no reason to stop while the packages can be had.
    $as_root apt-get update -qq || echo "setup: apt-get update failed; trying with the present lists" >&2
    # shellcheck disable=SC2086
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >&2
}

set_up() {
    command -v cargo >/dev/null || fail "cargo is missing: install Rust from https://rustup.rs"
    [ "$(uname -s)" = Linux ] || return 0
    if command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; then
        install_packages
    else
        echo "setup: no apt here; if they are missing, install a linker, a Vulkan driver (Mesa's lavapipe will do), libX11, libXcursor, libXi, libXrandr, libxkbcommon-x11 and libwayland-client" >&2
    fi
    # Mesa wants a folder of the login session, and complains where there is none.
    if [ -z "${XDG_RUNTIME_DIR:-}" ]; then
        XDG_RUNTIME_DIR=/tmp/papillon-runtime-$(id -u)
        mkdir -p -m 700 "$XDG_RUNTIME_DIR"
        export XDG_RUNTIME_DIR
    fi
}

# How far a long command is, and how long its next part takes the first time on two cores.
say() {
    echo "setup: $1" >&2
}

# Mesa's software driver compiles every kernel of the tests: it keeps them in target/. Optimising them would take longer than the tests run them.
# Its own threads would take turns with those of the tests.
fast_software_driver() {
    export MESA_SHADER_CACHE_DIR="${MESA_SHADER_CACHE_DIR:-$PWD/target/shaders}"
    export GALLIVM_PERF="${GALLIVM_PERF:-nopt}"
    export LP_NUM_THREADS="${LP_NUM_THREADS:-1}"
    mkdir -p "$MESA_SHADER_CACHE_DIR"
}

# With arguments, only the tests that they name. Random use and mutations that nobody has seen have processes of their own, so that memory is counted alone.
run_tests() {
    fast_software_driver
    if [ $# -gt 0 ]; then
        cargo test --workspace "$@"
        return
    fi
    say "1 of 3: compiling the tests and their 500 crates, some six minutes the first time"
    cargo test --workspace --no-run
    say "2 of 3: running the tests, some eight minutes"
    cargo test --workspace
    say "3 of 3: random use and mutated files, two minutes"
    PAPILLON_FUZZ_SECS=60 PAPILLON_FUZZ_SEED=$(date +%s) cargo test --quiet --test core fuzz -- --nocapture &
    fuzz=$!
    PAPILLON_SOAK_SECS=120 cargo test --quiet --test app window::soak -- --nocapture
    wait "$fuzz"
}

check() {
    cargo fmt --all --check
    cargo clippy --workspace --all-targets -- -D warnings
    RUSTDOCFLAGS=-Dwarnings cargo doc --workspace --no-deps
    if command -v cargo-deny >/dev/null; then
        cargo deny check bans licenses sources
    else
        echo "check: cargo-deny is missing, so that licences are not checked: cargo install cargo-deny" >&2
    fi
}

run_program() {
    [ -d "${CARGO_TARGET_DIR:-target}/release" ] || say "compiling the program and its 460 crates, some eight minutes on two cores the first time"
    cargo run --release -- "$@"
}

package() {
    WINDOW_LIBRARIES="$window" sh packaging/package.sh
    sh packaging/test.sh "${CARGO_TARGET_DIR:-target}"/packages/papillon-*.tar.xz
}

# Puts the program where cargo puts programs, and its entry, icon, man pages and completions where others look for them.
install() {
    cargo install --locked --path .
    data=${XDG_DATA_HOME:-$HOME/.local/share}
    mkdir -p "$data/applications" "$data/icons/hicolor/256x256/apps" "$data/icons/hicolor/scalable/apps" "$data/metainfo"
    # Desktops may not know the folder of cargo.
    sed "s|^Exec=papillon|Exec=${CARGO_HOME:-$HOME/.cargo}/bin/papillon|" assets/papillon.desktop >"$data/applications/papillon.desktop"
    cp assets/papillon.png "$data/icons/hicolor/256x256/apps/papillon.png"
    cp assets/papillon.svg "$data/icons/hicolor/scalable/apps/papillon.svg"
    cp assets/papillon.metainfo.xml "$data/metainfo/papillon.metainfo.xml"
    "${CARGO_HOME:-$HOME/.cargo}/bin/papillon" manual -o "$data"
    echo "setup: installed; look for Papillon among the applications, or run papillon" >&2
}

set_up
case "${1:-}" in
    '') ;;
    run) shift; run_program "$@" ;;
    test) shift; run_tests "$@" ;;
    install) install ;;
    package) package ;;
    site) sh packaging/site.sh ;;
    check) check ;;
    *) fail "unknown command '$1': run, test, install, package, site, check or nothing" ;;
esac

#!/bin/sh
# Builds the packages of this system into target/packages: an archive, a .deb, and their SHA-256. `sh setup.sh package` calls it.
#
# With cargo-zigbuild (pip install ziglang cargo-zigbuild) they run on every Linux from glibc 2.31 on, which is checked; otherwise on systems that are as new as this one.
# PAPILLON_BINARY=FILE packs a program that is built already.
set -eu
cd "$(dirname "$0")/.."

# The oldest glibc that is served, that of Debian 11 and Ubuntu 20.04.
oldest_glibc=2.31

say() {
    echo "package: $1" >&2
}

fail() {
    say "$1"
    exit 1
}

need() {
    command -v "$1" >/dev/null || fail "$1 is missing: install $2"
}

# The newest version of glibc that a program asks for.
glibc_of() {
    objdump -T "$1" | grep -o 'GLIBC_[0-9.]*' | sed 's/GLIBC_//' | sort -uV | tail -n 1
}

newer() {
    [ "$1" != "$2" ] && [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | tail -n 1)" = "$1" ]
}

# Builds the program, and prints its path.
built() {
    if command -v cargo-zigbuild >/dev/null; then
        cargo zigbuild --locked --profile dist --target "$target.$oldest_glibc" >&2
    else
        say "cargo-zigbuild is missing, so that the packages serve only systems as new as this one; for others: pip install ziglang cargo-zigbuild"
        cargo build --locked --profile dist --target "$target" >&2
    fi
    echo "${CARGO_TARGET_DIR:-target}/$target/dist/papillon"
}

# The licences of all crates that are linked, each text once below the crates that it covers.
licences() {
    cargo tree --locked --target "$target" --edges normal --prefix none --format '{p}	{l}	{r}' | sed 's/ (.*)	/	/; s/ (\*)$//' | sort -u
    cargo metadata --locked --format-version 1 --filter-platform "$target" |
        grep -o '"manifest_path":"[^"]*/registry/[^"]*"' | cut -d '"' -f 4 | sort -u |
        while read -r manifest; do
            folder=${manifest%/Cargo.toml}
            for text in "$folder"/LICEN[CS]E* "$folder"/COPYING* "$folder"/NOTICE*; do
                [ -f "$text" ] && echo "$(sha256sum <"$text" | cut -c 1-64) $text"
            done
        done | sort | awk '
            { sum = $1; path = substr($0, 66); n = split(path, part, "/"); name = part[n - 1] "/" part[n] }
            sum != last { if (last != "") print_text(); names = ""; last = sum; file = path }
            { names = names (names == "" ? "" : ", ") name }
            END { if (last != "") print_text() }
            function print_text(line) {
                print "\n" names ":\n"
                while ((getline line < file) > 0) print line
                close(file)
            }'
}

# Fills a folder as /usr has it: the program, its pages and completions, its entry among the applications, and its licences.
fill() {
    mkdir -p "$1/bin" "$1/share/applications" "$1/share/icons/hicolor/256x256/apps" "$1/share/icons/hicolor/scalable/apps" "$1/share/metainfo" "$1/share/doc/papillon"
    cp "$binary" "$1/bin/papillon"
    chmod 755 "$1/bin/papillon"
    "$binary" manual -o "$1/share" 2>/dev/null
    cp assets/papillon.desktop "$1/share/applications/"
    cp assets/papillon.png "$1/share/icons/hicolor/256x256/apps/"
    cp assets/papillon.svg "$1/share/icons/hicolor/scalable/apps/"
    cp assets/papillon.metainfo.xml "$1/share/metainfo/"
    cp README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT "$1/share/doc/papillon/"
    licences >"$1/share/doc/papillon/LICENSES-OF-CRATES.txt"
}

archive() {
    need xz "xz-utils"
    root=$out/papillon-$version-$target
    rm -rf "$root"
    fill "$root"
    XZ_OPT=-9 tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$date" -C "$out" -cJf "$root.tar.xz" "${root##*/}"
    rm -rf "$root"
}

# The package has no scripts: the triggers of Debian see the entry and the icons.
debian() {
    root=$out/debian
    rm -rf "$root"
    fill "$root/usr"
    doc=$root/usr/share/doc/papillon
    cat LICENSE-MIT LICENSE-APACHE "$doc/LICENSES-OF-CRATES.txt" >"$doc/copyright"
    rm "$doc/LICENSES-OF-CRATES.txt" "$doc/LICENSE-APACHE" "$doc/LICENSE-MIT"
    mv "$doc/CHANGELOG.md" "$doc/changelog"
    gzip -9n "$doc/changelog" "$root"/usr/share/man/man1/*
    mv "$root/usr/share/zsh/site-functions" "$root/usr/share/zsh/vendor-completions"
    depends="libc6 (>= $glibc)"
    ! objdump -p "$binary" | grep -q 'NEEDED *libgcc_s' || depends="$depends, libgcc-s1"
    mkdir "$root/DEBIAN"
    cat >"$root/DEBIAN/control" <<CONTROL
Package: papillon
Version: $version
Architecture: $(dpkg --print-architecture)
Maintainer: Papillon maintainers <maintainers@users.noreply.github.com>
Section: science
Priority: optional
Installed-Size: $(du -sk "$root/usr" | cut -f 1)
Depends: $depends
Recommends: $(echo $WINDOW_LIBRARIES | sed 's/ /, /g')
Suggests: mesa-vulkan-drivers
Description: fast transforms at work
 Papillon transforms images, recordings and tables on the GPU or the CPU, and
 shows the flow graph of the very algorithm that ran, the spectrum, and the
 time of every launch. It has a window and a command line.
CONTROL
    dpkg-deb --root-owner-group -Zxz --build "$root" "$out/papillon_${version}_$(dpkg --print-architecture).deb" >/dev/null
    rm -rf "$root"
}

[ "$(uname -s)" = Linux ] || fail "packages are built on Linux here; .github/workflows/release.yml has the other systems"
need cargo "Rust from https://rustup.rs"
need objdump binutils
target=$(uname -m)-unknown-linux-gnu
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
date=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH="$date"
out=${CARGO_TARGET_DIR:-target}/packages
binary=${PAPILLON_BINARY:-$(built)}
[ -x "$binary" ] || fail "there is no program $binary"
glibc=$(glibc_of "$binary")
if newer "$glibc" "$oldest_glibc"; then
    # Without cargo-zigbuild nobody promised more.
    ! command -v cargo-zigbuild >/dev/null || fail "the program needs glibc $glibc, and packages serve $oldest_glibc: look which function asks for it by objdump -T $binary"
    say "the packages need glibc $glibc or newer"
fi
rm -rf "$out"
mkdir -p "$out"
archive
if command -v dpkg-deb >/dev/null; then debian; else say "no .deb, as dpkg-deb is missing"; fi
(cd "$out" && sha256sum papillon* >SHA256SUMS)
ls -l "$out" >&2

#!/bin/sh
# Tries an archive as a person does who has just downloaded it: its files, its size, a first picture, a file that breaks a decoder, and memory that is not given.
#
#     sh packaging/test.sh target/packages/papillon-VERSION-TARGET.tar.xz
set -eu
here=$(cd "$(dirname "$0")" && pwd)
archive=${1:?name the archive}
most=20000000

fail() {
    echo "packaging test: $1" >&2
    exit 1
}

pass() {
    echo "ok: $1" >&2
}

seconds_since() {
    awk "BEGIN { printf \"%.2f\", $(date +%s.%N) - $1 }"
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_RUNTIME_DIR="$folder" XDG_CACHE_HOME="$folder/cache" XDG_DATA_HOME="$folder/data"

size=$(wc -c <"$archive")
[ "$size" -le $most ] || fail "the archive has $size bytes, and $most are the most"
pass "$size bytes packed"
tar -C "$folder" -xf "$archive"
root=$(echo "$folder"/papillon-*)
program=$root/bin/papillon
pass "$(wc -c <"$program") bytes of program"

"$program" --version | grep -q '^papillon [0-9]' || fail "--version says nothing"
for command in "" transform spectrum graph bench; do
    # shellcheck disable=SC2086
    "$program" $command --help | grep -q Usage || fail "papillon $command --help says nothing"
done
for file in man/man1/papillon.1 man/man1/papillon-transform.1 bash-completion/completions/papillon zsh/site-functions/_papillon \
    fish/vendor_completions.d/papillon.fish applications/papillon.desktop icons/hicolor/scalable/apps/papillon.svg \
    icons/hicolor/256x256/apps/papillon.png metainfo/papillon.metainfo.xml doc/papillon/LICENSE-MIT doc/papillon/LICENSE-APACHE \
    doc/papillon/LICENSES-OF-CRATES.txt doc/papillon/README.md; do
    [ -s "$root/share/$file" ] || fail "the archive lacks share/$file"
done
grep -q 'Mozilla Public License' "$root/share/doc/papillon/LICENSES-OF-CRATES.txt" || fail "the licence of Symphonia is missing"
! command -v bash >/dev/null || bash -n "$root/share/bash-completion/completions/papillon" || fail "bash does not read its completions"
pass "help, man pages, completions, licences"

cp "$here/../assets/chord.wav" "$here/../assets/butterfly.png" "$folder"
cd "$folder"
begin=$(date +%s.%N)
"$program" spectrum butterfly.png -o spectrum.png 2>/dev/null || fail "no spectrum of an image"
pass "first picture after $(seconds_since "$begin") s"
"$program" tone chord.wav 2>/dev/null | grep -q dB || fail "no tone of a recording"
begin=$(date +%s.%N)
"$program" snapshot --preset image -o window.png butterfly.png 2>snapshot.txt || fail "no picture of the window: $(cat snapshot.txt)"
[ -s window.png ] || fail "the picture of the window is empty"
pass "picture of the window after $(seconds_since "$begin") s"

# fault.ogg is a mutated recording on which the decoder of Vorbis panics. That ends in one line, which shows that panics are caught in this build.
"$program" transform "$here/fault.ogg" -t dft -d cpu -o fault.npy 2>fault.txt && fail "the file that breaks a decoder was read"
grep -q 'its decoder fails on it' fault.txt || fail "a fault of a decoder: $(cat fault.txt)"
[ "$(wc -l <fault.txt)" -eq 1 ] || fail "a fault of a decoder is no single line: $(cat fault.txt)"
pass "a fault of a decoder is caught"

#!/bin/sh
# Builds the documentation as a site in target/site: every page of docs/, the README in front, and a picture of each layout that the program draws now.
# `sh setup.sh site` calls it. It needs mkdocs (pip install mkdocs); a broken link fails.
#
# PAPILLON_BINARY=FILE draws the pictures by a program that is built already.
set -eu
cd "$(dirname "$0")/.."

fail() {
    echo "site: $1" >&2
    exit 1
}

command -v mkdocs >/dev/null || fail "mkdocs is missing: pip install mkdocs"
if [ -z "${PAPILLON_BINARY:-}" ]; then
    cargo build --release
    PAPILLON_BINARY=${CARGO_TARGET_DIR:-target}/release/papillon
fi
source=${CARGO_TARGET_DIR:-target}/site-source
rm -rf "$source"
mkdir -p "$source/docs/pictures" "$source/docs/assets"

# Pages stand beside each other there, and what they show below them.
cp docs/*.md CHANGELOG.md "$source/docs/"
cp -rL assets/listings assets/window.png "$source/docs/assets/"
sed 's|](docs/|](|g; s|\[ARCHITECTURE.md\](ARCHITECTURE.md)|ARCHITECTURE.md|g; s|\[CONTRIBUTING.md\](CONTRIBUTING.md)|CONTRIBUTING.md|g; s|\[LICENSE-\([A-Z]*\)\](LICENSE-[A-Z]*)|LICENSE-\1|g' README.md >"$source/docs/index.md"
sed -i 's|](../assets/|](assets/|g; s|](../docs/|](|g; s|](\.\./\([A-Z]*\.md\)\(#[a-z-]*\)\{0,1\})|](\1\2)|g; s|](docs/|](|g' "$source"/docs/*.md

# Every layout as it looks now.
echo "# The window" >"$source/docs/window.md"
"$PAPILLON_BINARY" snapshot --help | sed -n 's/^ *- \([a-z-]*\): *\(For .*\)$/\1 \2/p' | sort -u | while read -r layout purpose; do
    "$PAPILLON_BINARY" snapshot --preset "$layout" --theme light --size 1280x800 -o "$source/docs/pictures/$layout.png" 2>/dev/null
    printf '\n## %s\n\n%s.\n\n![The layout %s](pictures/%s.png)\n' "$layout" "$purpose" "$layout" "$layout" >>"$source/docs/window.md"
done

cat >"$source/mkdocs.yml" <<CONFIG
site_name: Papillon
theme: readthedocs
use_directory_urls: false
strict: true
validation:
  links:
    anchors: warn
    unrecognized_links: warn
nav:
  - Papillon: index.md
  - Installing: installing.md
  - The window: window.md
  - Jobs: jobs.md
  - The command line: command-line.md
  - File formats: file-formats.md
  - Transforms: transforms.md
  - Python: python.md
  - Lessons: lessons.md
  - The papers: papers.md
  - Technologies: technologies.md
  - Performance: performance.md
  - Reliability: reliability.md
  - Changes: CHANGELOG.md
CONFIG
mkdocs build --config-file "$source/mkdocs.yml" --site-dir "$(cd "$source/.." && pwd)/site"
echo "site: ${CARGO_TARGET_DIR:-target}/site/index.html" >&2

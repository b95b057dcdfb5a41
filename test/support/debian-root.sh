#!/usr/bin/env bash
# Says where the root file system of a small Debian is kept: what Node.js needs, and the packages that are named. It is
# made once, in half a minute of downloads, beside the temporary files.
set -euo pipefail

packages=ca-certificates,libatomic1,libstdc++6,netbase,tzdata${1:+,$1}
folder=${TMPDIR:-/tmp}/picket-lab
archive=$folder/bookworm-$(printf '%s' "$packages" | cksum | cut -d ' ' -f 1).tar
if [ ! -e "$archive" ]; then
  mkdir -p "$folder"
  mmdebstrap --quiet --variant=minbase --include="$packages" bookworm "$archive.$$.tar" >&2
  mv "$archive.$$.tar" "$archive"
fi
echo "$archive"

#!/usr/bin/env bash
# Unpacks PostgreSQL 15 from Debian's packages, and over it a build of Citus, into a cache folder, and prints the folder
# of its programs: npm run test:cluster runs on them. Debian has no Citus, so the build is an archive of files below /usr:
# PICKET_CITUS_ARCHIVE names it, else it lies next to the repository as */lab/citus/citus-pg15.tar.xz. Prints nothing and
# ends with 3 if there is none.
set -euo pipefail
cd "$(dirname "$0")/../.."
archive=${PICKET_CITUS_ARCHIVE:-$(compgen -G '../*/lab/citus/citus-pg15.tar.xz' | head -n 1 || true)}
[ -f "$archive" ] || exit 3
# PostgreSQL does not run as root, and root's own folders are closed to others.
cache=/var/cache
[ "$(id -u)" = 0 ] || cache=${XDG_CACHE_HOME:-$HOME/.cache}
folder="$cache/picket/citus-$(sha256sum "$archive" | cut -c 1-16)"
programs=usr/lib/postgresql/15/bin
if [ ! -x "$folder/$programs/initdb" ]; then
  mkdir -p "$(dirname "$folder")"
  work=$(mktemp -d "$folder.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  apt-get update -qq >&2
  # The newest of its line: what a build was made for is there in each later one.
  (cd "$work" && apt-get download -qq -o APT::Sandbox::User=root postgresql-15 postgresql-client-15 libpq5 >&2)
  for package in "$work"/*.deb; do dpkg -x "$package" "$work/root"; done
  tar xJf "$archive" -C "$work/root" --no-same-owner
  # The nodes run as another user.
  chmod 755 "$work/root"
  mv -T "$work/root" "$folder" 2>/dev/null || [ -x "$folder/$programs/initdb" ]
fi
echo "$folder/$programs"

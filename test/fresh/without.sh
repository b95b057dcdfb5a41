#!/usr/bin/env bash
# Runs a command as if programs were not installed, e.g. test/fresh/without.sh ip iptables -- npm test. Needs root. What
# is hidden is hidden from the command alone, and is back for the next one.
set -euo pipefail

hidden=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  hidden+=("$1")
  shift
done
[ $# -gt 1 ] || { echo "use: test/fresh/without.sh PROGRAM... -- COMMAND..." >&2; exit 64; }
shift

# Each folder that has one of them, under the name that no link leads to.
folders=()
for folder in ${PATH//:/ } /usr/sbin /usr/lib/postgresql/*/bin; do
  for program in "${hidden[@]}"; do
    [ ! -e "$folder/$program" ] || folders+=("$(readlink -f "$folder")")
  done
done
mapfile -t folders < <(printf '%s\n' "${folders[@]}" | sort -u)

# Over each of these folders lies one in which the programs are missing. All lie there before the first program goes,
# since that may be the one that mounts.
exec unshare --mount --propagation private bash -c '
  set -euo pipefail
  programs=$1 folders=$2
  shift 2
  above=/mnt
  mount -t tmpfs without "$above"
  for folder in $folders; do
    mkdir -p "$above/upper$folder" "$above/work$folder"
    mount -t overlay -o "lowerdir=$folder,upperdir=$above/upper$folder,workdir=$above/work$folder" without "$folder"
  done
  for folder in $folders; do
    for program in $programs; do rm -f "$folder/$program"; done
  done
  exec "$@"' without "${hidden[*]}" "${folders[*]}" "$@"

#!/usr/bin/env bash
# README's commands on the machines that a newcomer may have, as root and as an ordinary user:
# - one with Node.js, npm and nothing else, in a separate root file system;
# - this one as it is, for an ordinary user;
# - this one as if one program of test/support/programs.json were missing, for each of them.
# Of the tests, those run that such a machine can make differ: see starting-files.ts, and the choices below.
# Each run says what it skipped; that a test fails on one of the machines fails this.
set -euo pipefail
cd "$(dirname "$0")/../.."

[ "$(id -u)" = 0 ] || { echo "test/fresh/run.sh: run it as root: it makes a root file system" >&2; exit 1; }

archive=$(test/support/debian-root.sh)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
tar -xf "$archive" -C "$root"
# The ordinary user has to get into both.
chmod 755 "$root" "$root/root"

# The machine's own Node.js and npm, with its settings of the registry and the authorities that it trusts.
machine=$(PATH=${PATH//$PWD\/node_modules\/.bin:/} command -v node)
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
cp -L "$machine" "$root/usr/bin/node"
mkdir -p "$root/usr/lib/node_modules" "$root/usr/etc" "$root/home/newcomer"
cp -R "$npm" "$root/usr/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/bin/npm"
ln -s ../lib/node_modules/npm/bin/npx-cli.js "$root/usr/bin/npx"
settings=$(npm config get globalconfig)
[ ! -e "$settings" ] || install -D --mode=644 "$settings" "$root/$settings"
settings=$(npm config get userconfig)
[ ! -e "$settings" ] || cp "$settings" "$root/home/newcomer/.npmrc"
cp /etc/resolv.conf /etc/hosts "$root/etc/"
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"

# What a clone has: the files that git knows, as they are here.
mkdir "$root/picket"
git ls-files -z --cached --others --exclude-standard | tar --null --ignore-failed-read -cf - -T - | tar -xf - -C "$root/picket"

# An ordinary user, whom both machines know.
user=7777
chown -R "$user:$user" "$root/picket" "$root/home/newcomer"
account="newcomer:x:$user:$user::/home/newcomer:/bin/sh"
echo "$account" >>"$root/etc/passwd"
{ cat /etc/passwd; echo "$account"; } >"$root/passwd"

# bare USER COMMAND: on the machine with nothing else. It has namespaces of its own: nothing that it mounts or leaves
# running outlives it.
bare() {
  echo "a machine with Node.js and npm, as $1: $2"
  unshare --mount --pid --fork --kill-child sh -c '
    mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && mount -t sysfs -o ro sysfs "$0/sys" &&
    exec chroot --userspec="$1" "$0" /usr/bin/env -i HOME=/home/newcomer ASKED_PROGRAMS=/tmp/asked \
      PATH=/usr/local/bin:/usr/bin:/bin TERM=dumb NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt \
      sh -c "cd /picket || exit; $2"' "$root" "$1" "$2"
}
# here USER COMMAND...: in the same clone, on this machine.
here() {
  local who=$1
  shift
  echo "this machine, as $who: $*"
  unshare --mount --propagation private sh -c '
    mount --bind "$0/passwd" /etc/passwd && cd "$0/picket" &&
    exec setpriv --reuid="$1" --regid="$1" --clear-groups env -u CI -u ASKED_PROGRAMS HOME="$0/home/newcomer" \
      PATH="$0/picket/node_modules/.bin:$PATH" sh -c "$2"' "$root" "$who" "$*"
}

if [ $# -gt 0 ]; then
  for command in "$@"; do bare "$user" "$command"; done
  exit
fi

starting=$(node test/fresh/starting-files.ts)
bare "$user" 'npm ci'
bare "$user" "npm start -- --for 20s >/tmp/started 2>&1 & npm test -- $starting; tests=\$?; wait \$! && cat /tmp/started && exit \$tests"
# Lines of a test file and a program that it asks for.
sed -i 's|^/picket/||' "$root/tmp/asked"
sort -uo "$root/tmp/asked" "$root/tmp/asked"
# Root differs there by what it may do with the programs that even such a machine has.
present=$(while read -r file program; do [ ! -e "$root/usr/bin/$program" ] || echo "$file"; done <"$root/tmp/asked" | uniq | tr '\n' ' ')
bare 0 "npm test -- $present"
# What the kernel, or a program that asks who starts it, lets not everybody do.
lesser=$(grep -P '\t(initdb|mount|script|setpriv|squid|strace|unshare)$' "$root/tmp/asked" | cut -f 1 | uniq | tr '\n' ' ')
here "$user" "npm test -- $lesser"
here 0 "node test/fresh/absences.ts $root/tmp/asked $root"

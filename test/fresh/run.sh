#!/usr/bin/env bash
# A machine with Node.js, npm and nothing else, in a separate root: runs there the README's commands, of the tests those
# that start programs, which may be missing; or the commands that are given, e.g. 'npm ci' 'npm test'.
set -euo pipefail
cd "$(dirname "$0")/../.."

[ "$(id -u)" = 0 ] || { echo "test/fresh/run.sh: run it as root: it makes a root file system" >&2; exit 1; }

archive=$(test/support/debian-root.sh)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
tar -xf "$archive" -C "$root"

# The machine's own Node.js and npm, with its settings of the registry and the authorities that it trusts.
machine=$(PATH=${PATH//$PWD\/node_modules\/.bin:/} command -v node)
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
cp -L "$machine" "$root/usr/bin/node"
mkdir -p "$root/usr/lib/node_modules" "$root/usr/etc" "$root/root"
cp -R "$npm" "$root/usr/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/bin/npm"
ln -s ../lib/node_modules/npm/bin/npx-cli.js "$root/usr/bin/npx"
for settings in "$(npm config get globalconfig)" "$(npm config get userconfig)"; do
  [ ! -e "$settings" ] || install -D "$settings" "$root/$settings"
done
cp /etc/resolv.conf /etc/hosts "$root/etc/"
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"

# What a clone has: the files that git knows, as they are here.
mkdir "$root/picket"
git ls-files -z --cached --others --exclude-standard | tar --null --ignore-failed-read -cf - -T - | tar -xf - -C "$root/picket"

commands=("$@")
if [ $# = 0 ]; then
  starting=$(git grep -lE 'node:child_process|support/(run-command|browser|installed|own-network|small-disk)|/(daemon|programs)\.ts' -- 'test/*.test.ts' | tr '\n' ' ')
  commands=('npm ci' 'npm start -- --for 20s' "npm test -- $starting" 'npm run test:packaging')
fi
for command in "${commands[@]}"; do
  echo "fresh machine: $command"
  # Namespaces of its own: nothing that it mounts or leaves running outlives it.
  unshare --mount --pid --fork --kill-child sh -c '
    mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && mount -t sysfs -o ro sysfs "$0/sys" &&
    exec chroot "$0" /usr/bin/env -i HOME=/root PATH=/usr/local/bin:/usr/bin:/bin TERM=dumb NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt \
      sh -c "cd /picket && $1"' "$root" "$command"
done

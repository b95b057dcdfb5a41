#!/usr/bin/env bash
# A reader's machine: this one's files under a layer that is thrown away, a network with the loopback interface alone, and
# nothing else running. Runs the given command there, e.g. test/docs/machine.sh bash
set -euo pipefail
repository=$(cd "$(dirname "$0")/../.." && pwd)
export repository
# Commands of the given one see no process of this machine, and all of them end with it.
exec unshare --mount --net --pid --fork --kill-child --propagation private bash -euc '
  layer=$(mktemp -d)
  mount -t tmpfs none "$layer"
  mkdir "$layer/upper" "$layer/work" "$layer/root"
  mount -t overlay -o "lowerdir=/,upperdir=$layer/upper,workdir=$layer/work" overlay "$layer/root"
  root=$layer/root
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  mount -t sysfs -o ro sysfs "$root/sys"
  mount -t tmpfs none "$root/tmp"
  mount -t tmpfs none "$root/run"
  # What a clone has: the files that git knows, as they are here, and the packages beside them.
  home=$root/home/reader
  mkdir -p "$home/picket/node_modules" "$home/.local/bin" "$home/.config/fish/completions"
  (cd "$repository" && git ls-files -z --cached --others --exclude-standard | tar --null --ignore-failed-read -cf - -T - 2>/dev/null) |
    tar --no-same-owner -xf - -C "$home/picket"
  chown -R 1000:1000 "$home"
  mount --bind "$repository/node_modules" "$home/picket/node_modules"
  ln -s /home/reader/picket/bin/picket "$root/usr/local/bin/picket"
  mkdir -p "$root/run/secrets" "$root/etc/picket"
  chmod 1777 "$root/tmp"
  ip link set lo up
  # Addresses of the examples: the company, its name server and its proxy, and the world outside.
  for address in 10.0.0.1 10.0.0.7 10.0.0.8 10.0.0.53 192.0.2.1; do ip address add "$address/32" dev lo; done
  ip -6 address add fd00::5/128 dev lo nodad
  echo "nameserver 10.0.0.53" >"$layer/resolv.conf"
  printf "127.0.0.1 localhost\n" >"$layer/hosts"
  mount --bind "$layer/hosts" "$root/etc/hosts"
  rm -f "$root/etc/resolv.conf" && cp "$layer/resolv.conf" "$root/etc/resolv.conf"
  exec chroot "$root" /usr/bin/env -i HOME=/home/reader TERM=dumb LANG=C.UTF-8 \
    PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin "$0" "$@"' "$@"

#!/bin/sh
# Installs Picket's agent as a systemd service, takes a newer one in its place, or takes it away again.
set -eu

usage() {
  cat <<'TEXT'
Usage: install.sh PROGRAM SERVICE_URL [TOKEN_FILE]   installs or upgrades, and starts the agent
       install.sh uninstall [--purge]               --purge also takes the token, the settings and the state

PROGRAM is the one-file executable `picket`, or a folder: the bundle (picket.mjs), which needs
Node.js 26 in the PATH, or a clone of the repository after `npm ci`. SERVICE_URL becomes SERVICE_API_URL.
The location's token is read from TOKEN_FILE, else from the standard input; an upgrade keeps the
token and the settings that are there.
TEXT
}

program=/usr/local/bin/picket
folder=/usr/local/lib/picket
settings=/etc/picket/picket.env
token=/etc/picket/token
unit=/etc/systemd/system/picket.service

fail() {
  echo "install.sh: $1" >&2
  exit 1
}

install_program() {
  # Everything is there before the old one is touched.
  if [ -f "$1" ]; then
    install -m 755 "$1" "$program.new"
    rm -rf "$folder"
  elif [ -f "$1/picket.mjs" ] || [ -f "$1/bin/picket" ]; then
    rm -rf "$folder.new"
    cp -RL "$1" "$folder.new"
    chmod -R u=rwX,go=rX "$folder.new"
    chown -R 0:0 "$folder.new"
    rm -rf "$folder" && mv "$folder.new" "$folder"
    launcher >"$program.new"
    chmod 755 "$program.new"
  else
    fail "$1 is neither an executable nor a folder with picket.mjs or bin/picket"
  fi
  mv "$program.new" "$program"
}

launcher() {
  echo '#!/bin/sh'
  if [ -f "$folder/picket.mjs" ]; then
    node=$(command -v node) || fail "the bundle needs Node.js 26 in the PATH"
    echo "exec $node --disable-warning=ExperimentalWarning --max-semi-space-size=1 --no-parallel-scavenge $folder/picket.mjs \"\$@\""
  else
    echo "exec $folder/bin/picket \"\$@\""
  fi
}

install_token() {
  umask 077
  cat -- "${1:--}" >"$token.new"
  [ -s "$token.new" ] || { rm -f "$token.new"; fail "the token is empty: give the file that holds it"; }
  mv "$token.new" "$token"
}

case "${1:-}" in
  '' | -h | --help) usage ;;
  uninstall)
    systemctl disable --now picket.service || true
    rm -rf "$unit" "$program" "$folder"
    systemctl daemon-reload
    [ "${2:-}" != --purge ] || rm -rf /etc/picket /var/lib/picket /var/lib/private/picket
    ;;
  *)
    [ $# -ge 2 ] || { usage >&2; exit 64; }
    [ "$(id -u)" = 0 ] || fail "run it as root"
    install -d -m 755 /etc/picket
    [ $# -lt 3 ] && [ -s "$token" ] || install_token "${3:-}"
    [ -s "$settings" ] || printf 'SERVICE_API_URL=%s\n' "$2" >"$settings"
    install_program "$1"
    install -m 644 "$(dirname "$0")/picket.service" "$unit"
    systemctl daemon-reload
    systemctl enable picket.service
    systemctl restart picket.service
    systemctl --no-pager --lines 0 status picket.service
    ;;
esac

#!/bin/sh
# Installs Picket's agent or its service as a systemd unit, takes a newer one in its place, or takes it away again.
set -eu
umask 077

usage() {
  cat <<'TEXT'
Usage: install.sh [--offline] PROGRAM SERVICE_URL [TOKEN_FILE]     installs and starts the agent
       install.sh [--offline] PROGRAM [SERVICE_URL [TOKEN_FILE]]   upgrades it
       install.sh uninstall [--purge]                              --purge also takes the token, the secrets, the settings and the state
       install.sh service PROGRAM                                  installs and starts the self-hosted service, or upgrades it
       install.sh service uninstall [--purge]                      --purge also takes the settings, the certificate and the database
       install.sh --find-node                                      prints the Node.js 26 that a unit sees, or says why there is none

PROGRAM is the one-file executable `picket`, or a folder: the bundle (picket.mjs), which needs
Node.js 26 in the PATH, or a clone of the repository after `npm ci`. SERVICE_URL becomes SERVICE_API_URL
in /etc/picket/picket.env. The location's token is read from TOKEN_FILE, else from the standard input.
An upgrade keeps the settings, and the token where no TOKEN_FILE is given; another SERVICE_URL takes the old
one's place. Where SERVICE_URL is given, the service has to answer and to take the token: --offline as the
first word leaves that out. Other first words are --ca FILE, which makes FILE /etc/picket/ca.pem and sets
PICKET_CA_FILE, and --set NAME=VALUE, which sets any other.
The service reads further settings from /etc/picket/service.env, and speaks TLS where the files certificate and key
are in /etc/picket/tls. Where it has no API key, one is made and shown once. Agent and service on one machine share
the program: an upgrade of one restarts both.
With DESTDIR=FOLDER in the environment the files go below FOLDER; nothing is enabled, started or asked.
TEXT
}

root=${DESTDIR:-}
etc=$root/etc/picket
settings=$etc/picket.env
token=$etc/token
authority=$etc/ca.pem
program=$root/usr/local/bin/picket
folder=$root/usr/local/lib/picket
units=$root/etc/systemd/system

fail() {
  echo "install.sh: $1" >&2
  exit 1
}

demand_root() {
  [ -n "$root" ] || [ "$(id -u)" = 0 ] || fail "run it as root"
}

systemd() {
  [ -n "$root" ] || systemctl "$@"
}

# Everything is made beside the old and examined there; then it takes the old one's place.
install_agent() {
  begin "$1"
  stage_settings "$2"
  [ -z "$ca" ] || stage_authority
  printf %s "$given" | while IFS= read -r line; do put_setting "${line%%=*}" "${line#*=}"; done
  stage_token "$3"
  examine || fail "nothing was changed: correct that ($settings takes further settings), and run it again"
  [ -z "$2" ] || ask_service
  start_anew
}

install_service() {
  begin "$1"
  start_anew
  first_key
}

begin() {
  trap clean EXIT
  trap 'exit 1' HUP INT TERM
  clean
  (umask 022 && mkdir -p "$etc" "$units" "${program%/*}" "${folder%/*}")
  [ "$ours" = picket ] || mkdir -p "$etc/tls"
  stage_program "$1"
  install -m 644 "$(dirname "$0")/$ours.service" "$unit.new"
}

start_anew() {
  [ ! -d "$folder.new" ] || launcher "${folder#"$root"}"
  swap
  systemd daemon-reload
  systemd enable "$ours.service"
  systemd restart "$ours.service"
  # The program is the other's, too.
  systemd try-restart "$other.service" 2>/dev/null || true
  systemd --no-pager --lines 0 status "$ours.service"
}

# Shown here and not in the journal, which is kept.
first_key() {
  [ -z "$root" ] || return 0
  [ -z "$(as_service key list)" ] || return 0
  echo "There was no API key. One was made, which may read and write; it is shown only now:"
  as_service key create --name first --scope write
}

# Runs a subcommand of the service as its user, with its settings and its state.
as_service() {
  systemd-run --pipe --wait --quiet --collect --property=DynamicUser=yes --property=User=picket-service \
    --property=StateDirectory=picket-service --property=StateDirectoryMode=0700 \
    --property=EnvironmentFile=-/etc/picket/service.env "$program" service "$@"
}

clean() {
  [ -z "${hidden:-}" ] || stty echo
  rm -rf "$program.new" "$folder.new" "$folder.old" "$settings.new" "$token.new" "$authority.new" "$unit.new"
  [ -e "$units/picket-service.service" ] || rmdir "$etc/tls" 2>/dev/null || true
  rmdir "$etc" 2>/dev/null || true
}

stage_program() {
  if [ "$1" -ef "$program" ]; then
    fail "$1 is the program that is installed: give the new one"
  elif [ -f "$1" ]; then
    install -m 755 "$1" "$program.new"
  elif [ -f "$1/picket.mjs" ] || [ -f "$1/bin/picket" ]; then
    [ ! -f "$1/picket.mjs" ] || find_node
    cp -RL "$1" "$folder.new"
    chmod -R u=rwX,go=rX "$folder.new"
    launcher "$folder.new"
  else
    fail "$1 is neither an executable nor a folder with picket.mjs or bin/picket"
  fi
  "$program.new" --version >/dev/null || fail "$1 does not run on this machine; nothing was changed"
}

find_node() {
  node=$(command -v node) || fail "the bundle needs Node.js 26 in the PATH"
  version=$("$node" --version) || fail "$node does not run"
  major=${version#v}
  [ "${major%%.*}" -ge 26 ] 2>/dev/null || fail "$node is Node.js $version: the bundle needs 26 or newer"
  # ProtectHome= in the unit hides these.
  for place in "$node" "$(readlink -f "$node")"; do
    case $place in
      /home/* | /root/* | /run/user/* | [!/]*)
        fail "the unit does not see $place: install Node.js where it does, as in /usr/local" ;;
    esac
  done
}

# Writes the command that runs the program in folder $1.
launcher() {
  if [ -f "$folder.new/picket.mjs" ]; then
    command="$(quoted "$node") --disable-warning=ExperimentalWarning --disable-sigusr1 --min-semi-space-size=1 --max-semi-space-size=1 --no-parallel-scavenge $(quoted "$1/picket.mjs")"
  else
    command=$(quoted "$1/bin/picket")
  fi
  printf '#!/bin/sh\nexec %s "$@"\n' "$command" >"$program.new"
  chmod 755 "$program.new"
}

quoted() {
  printf "'%s'" "$(printf %s "$1" | sed "s/'/'\\\\''/g")"
}

stage_settings() {
  [ ! -e "$settings" ] || cat "$settings" >"$settings.new"
  known=$(setting SERVICE_API_URL)
  [ -n "$known$1" ] || fail "give SERVICE_URL: $settings does not name the service yet"
  [ -n "$1" ] && [ "$1" != "$known" ] || return 0
  [ -z "$known" ] || echo "install.sh: SERVICE_API_URL was $known and becomes $1" >&2
  {
    printf 'SERVICE_API_URL=%s\n' "$1"
    [ ! -e "$settings" ] || sed '/^SERVICE_API_URL=/d' "$settings"
  } >"$settings.new"
}

# It is no secret, and the agent's user reads it.
stage_authority() {
  grep -q 'BEGIN.* CERTIFICATE' "$ca" || fail "$ca has no certificate; nothing was changed"
  install -m 644 "$ca" "$authority.new"
  put_setting PICKET_CA_FILE /etc/picket/ca.pem
}

put_setting() {
  others=$(sed "/^$1=/d" "$settings.new")
  printf '%s\n%s=%s\n' "$others" "$1" "$2" >"$settings.new"
}

setting() {
  [ ! -e "$settings.new" ] || sed -n "s/^$1=//p" "$settings.new" | tail -n 1 | tr -d "\"'"
}

stage_token() {
  if [ -n "$1" ]; then
    cat -- "$1" >"$token.new"
  elif [ -s "$token" ]; then
    cat "$token" >"$token.new"
  elif [ -t 0 ]; then
    hidden=yes
    stty -echo
    echo "The location's token, which is not shown, then Enter:" >&2
    IFS= read -r typed || true
    printf '%s\n' "$typed" >"$token.new"
  else
    cat >"$token.new"
  fi
}

# The new program judges service and token by its own rules, in a shell as bare as the unit.
examine() {
  env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin PICKET_TOKEN_FILE="$token.new" \
    SERVICE_API_URL="$(setting SERVICE_API_URL)" PICKET_ALLOW_HTTP="$(setting PICKET_ALLOW_HTTP)" \
    "$program.new" config >/dev/null
}

# Asks the service with all the settings, by the program's own doctor. An upgrade alone does not depend on it.
ask_service() {
  [ -z "$root" ] && [ -z "$offline" ] || return 0
  set --
  for name in $(sed -n 's/^\([A-Za-z_][A-Za-z0-9_]*\)=.*/\1/p' "$settings.new"); do
    set -- "$@" "$name=$(setting "$name")"
  done
  [ ! -e "$authority.new" ] || set -- "$@" "PICKET_CA_FILE=$authority.new"
  answer=$(env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin "$@" PICKET_TOKEN_FILE="$token.new" \
    PICKET_LISTEN=off "$program.new" doctor 2>&1 | grep -E '^✗ (service|token|configuration):') || return 0
  echo "$answer" >&2
  fail "nothing was changed: correct that and run it again, or put --offline first where the service is away"
}

# Only renames, and at the end what is not used any more is removed.
swap() {
  trap '' HUP INT TERM
  [ ! -e "$authority.new" ] || chmod 755 "$etc"
  for file in "$token" "$settings" "$authority" "$unit"; do
    [ ! -e "$file.new" ] || mv "$file.new" "$file"
  done
  if [ -d "$folder.new" ]; then
    [ ! -d "$folder" ] || mv "$folder" "$folder.old"
    mv "$folder.new" "$folder"
    mv "$program.new" "$program"
  else
    mv "$program.new" "$program"
    rm -rf "$folder"
  fi
}

# The program stays while the other needs it.
uninstall() {
  [ ! -e "$unit" ] || systemd disable --now "$ours.service" || true
  rm -f "$unit"
  [ -e "$units/$other.service" ] || rm -rf "$program" "$folder"
  systemd daemon-reload
  [ "$1" != --purge ] || purge
}

purge() {
  case $ours in
    picket) rm -rf "$token" "$settings" "$authority" "$etc/secrets" ;;
    picket-service) rm -rf "$etc/service.env" "$etc/tls" ;;
  esac
  rm -rf "$root/var/lib/$ours" "$root/var/lib/private/$ours"
  rmdir "$etc" 2>/dev/null || true
}

ours=picket
other=picket-service
if [ "${1:-}" = service ]; then
  ours=picket-service
  other=picket
  shift
fi
unit=$units/$ours.service
offline=
ca=
given=
while :; do
  case ${1:-} in
    --offline) offline=yes ;;
    --ca)
      ca=${2:-}
      [ -r "$ca" ] || fail "--ca takes the file of an authority, and $ca is none"
      shift
      ;;
    --set)
      case ${2:-} in
        [A-Z]*=*) given="$given$2
" ;;
        *) fail "--set takes NAME=VALUE" ;;
      esac
      shift
      ;;
    *) break ;;
  esac
  shift
done
case "$*" in
  '' | -h | --help) usage ;;
  --find-node)
    find_node
    echo "$node"
    ;;
  uninstall | 'uninstall --purge')
    demand_root
    uninstall "${2:-}"
    ;;
  *)
    [ "$1" != uninstall ] && [ $# -le 3 ] || { usage >&2; exit 64; }
    [ "$ours" = picket ] || [ $# = 1 ] || { usage >&2; exit 64; }
    demand_root
    case $ours in
      picket) install_agent "$1" "${2:-}" "${3:-}" ;;
      picket-service) install_service "$1" ;;
    esac
    ;;
esac

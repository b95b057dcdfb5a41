#!/bin/sh
# Starts Picket's agent with the program that a Picket service hands out, and needs nothing from elsewhere:
#
#   (curl -fsS https://picket.example.com/agent/start.sh || echo exit 1) |
#     PICKET_TOKEN=pkt_loc_… SERVICE_API_URL=https://picket.example.com sh
#
# runs the agent until Ctrl-C. `sh -s systemd` installs it as a unit, `sh -s docker` starts it in a container, and
# `sh -s kubernetes IMAGE` builds the image for a registry, and puts the Helm chart into ./picket-chart. After an upgrade
# of the service, the same line upgrades the agent. Agents of two locations can run on one machine: the second one gets
# a folder and a port of its own, and in Docker the name that PICKET_CONTAINER gives. If the service's certificate is from
# your own CA, set PICKET_CA_FILE to the CA's file, and give it to the first curl with --cacert.
set -eu
umask 077

version='@version@'
program_sha256='@programSha256@'
runtime_sha256='@runtimeSha256@'
# What the service itself runs on: Node.js, or the one file with Node.js in it.
runtime='@runtime@'
processor='@processor@'

url=${SERVICE_API_URL:-}
url=${url%/}
authority=${PICKET_CA_FILE:-}
token=
location=

say() {
  printf 'picket: %s\n' "$1" >&2
}

fail() {
  say "$1"
  exit 1
}

need() {
  for name in "$@"; do
    command -v "$name" >/dev/null 2>&1 || fail "$name is needed, and is not installed here"
  done
}

# The token that was given, else the one in file $1 if it is kept there, else what a person types.
find_token() {
  if [ -n "${PICKET_TOKEN:-}" ]; then
    token=$PICKET_TOKEN
  elif [ -n "${PICKET_TOKEN_FILE:-}" ]; then
    token=$(cat "$PICKET_TOKEN_FILE")
  elif [ -s "$1" ]; then
    token=$(cat "$1")
  elif (: </dev/tty) 2>/dev/null; then
    ask_token
  fi
  case $token in
    '') fail "the token is missing: set PICKET_TOKEN to the token of the location" ;;
    *[!A-Za-z0-9._~+/=-]*) fail "PICKET_TOKEN is not a token: it has characters that no token has" ;;
  esac
}

ask_token() {
  trap 'stty echo </dev/tty; exit 1' HUP INT TERM
  printf 'The token of the location, which is not shown, then Enter: ' >/dev/tty
  stty -echo </dev/tty
  IFS= read -r token </dev/tty || true
  stty echo </dev/tty
  trap - HUP INT TERM
  echo >/dev/tty
}

# Sets `location` to what names the token's location, also after its token was rotated.
find_location() {
  answer=$(printf 'header = "x-service-token: %s"\n' "$token" |
    curl --config - --silent --show-error ${authority:+--cacert "$authority"} --write-out ' %{http_code}' "$url/agent/location") ||
    fail "the service did not answer: check the address $url"
  status=${answer##* }
  id=$(printf %s "${answer% *}")
  case $status in
    401) fail "the service refuses the token: choose Start an agent on the page of its location at $url, which gives a new one" ;;
    200) ;;
    *) id= ;;
  esac
  case $id in
    '' | *[!0-9]*) fail "what answers at $url did not name the location of the token, with status $status: check the address" ;;
  esac
  location=$(printf %s "$url $id" | sha256sum | cut -c 1-16)
}

# Writes what the service has at /agent/$2 to file $1, if its SHA-256 is $3. The token goes by a pipe: others on this
# machine can read the arguments of a process.
fetch() {
  part=$1.$$.part
  printf 'header = "x-service-token: %s"\n' "$token" |
    curl --config - --fail --silent --show-error ${authority:+--cacert "$authority"} --output "$part" "$url/agent/$2" ||
    fail "the service did not give its program: check the token, and the address $url"
  set -- "$1" "$3" "$(sha256sum <"$part")"
  [ "${3%% *}" = "$2" ] || fail "what came is not what this script names. If the service was upgraded just now, run the command again"
  mv "$part" "$1"
}

# Removes what downloads that were killed left at $1*.PID.$2. The one of a process that runs may be another line's.
remove_rests() {
  for rest in "$1"*".$2"; do
    process=${rest%."$2"}
    [ -d "/proc/${process##*.}" ] || rm -rf "$rest"
  done
}

# Puts the program into folder $1, whole or not at all.
put_program() {
  [ ! -x "$1/bin/picket" ] || return 0
  new=$1.$$.new
  mkdir -p "$new"
  fetch "$new/picket.tgz" picket.tgz "$program_sha256"
  tar -xzf "$new/picket.tgz" -C "$new"
  rm "$new/picket.tgz"
  # Another line may have put it there meanwhile.
  mv -T "$new" "$1" 2>/dev/null || rm -rf "$new"
  [ -x "$1/bin/picket" ] || fail "the program could not be put into $1: check that its disk has room and may be written"
}

has_node() {
  case "$(node --version 2>/dev/null)" in
    v2[6-9].* | v[3-9][0-9].*) return 0 ;;
    *) return 1 ;;
  esac
}

# Puts what the service runs on into the program's folder $1, if this machine is like the service's; else it asks for $2.
put_runtime() {
  [ ! -x "$1/runtime/$runtime" ] || return 0
  [ "$(uname -s) $(uname -m)" = "Linux $processor" ] ||
    fail "this machine is not like the service's (Linux $processor), so its Node.js does not run here: install $2, or use Docker"
  say "downloading what the service runs on, about 120 MB"
  mkdir -p "$1/runtime"
  fetch "$1/runtime/$runtime" runtime "$runtime_sha256"
  chmod 755 "$1/runtime/$runtime"
}

try_program() {
  "$1/bin/picket" --version >&2 ||
    fail "the program does not run here: it needs glibc 2.28 or newer, libstdc++ and libatomic (Debian: libstdc++6 libatomic1). Docker is another way"
}

# Sets `words` to the arguments of process $1. `read` leaves out what separates them.
read_words() {
  words=
  { IFS= read -r words <"/proc/$1/cmdline"; } 2>/dev/null || true
}

# Whether process $1 is an agent of a program here.
is_agent() {
  read_words "$1"
  case $words in
    *"$home/program/"*agent) return 0 ;;
    *) return 1 ;;
  esac
}

# Whether the agent of folder $1 runs: the number of its process is in a file, and may be another's by now.
runs_in() {
  if [ -s "$1/pid" ]; then
    is_agent "$(cat "$1/pid")"
  else
    [ "$1" = "$home" ] && an_unnamed_agent_runs
  fi
}

# An earlier script wrote no number for its agent, which is the one that is in no other folder.
an_unnamed_agent_runs() {
  for process in /proc/[0-9]*; do
    process=${process#/proc/}
    if is_agent "$process" && ! grep -qsxF "$process" "$home/agents/"*/pid; then return 0; fi
  done
  return 1
}

# Sets `listen` if another program has the port of the agent's page: to the next one that is free. 7: no one listens.
find_port() {
  port=8686
  while
    curl --noproxy '*' --silent --output /dev/null --max-time 2 "http://127.0.0.1:$port/livez" && answer=0 || answer=$?
    [ "$answer" != 7 ] && [ "$port" -lt 8785 ]
  do port=$((port + 1)); done
  [ "$port" = 8686 ] || listen=127.0.0.1:$port
}

# Each location has its own folder with its token and its state, whether or not its agent runs now: the first one here is
# in the home itself, each other one in a folder next to it. An earlier script wrote the token, and no name.
choose_folder() {
  named=$(grep -lsxF "$location" "$home/location" "$home/agents/"*/location | head -n 1)
  [ -n "$named" ] ||
    named=$(printf '%s\n' "$token" | grep -lsxF -f - "$home/token" "$home/agents/"*/token | head -n 1)
  if [ -n "$named" ]; then
    folder=${named%/*}
  elif [ -s "$home/token" ] || [ -s "$home/location" ]; then
    folder=$home/agents/$location
  else
    folder=$home
  fi
  ! runs_in "$folder" || refuse_second
  mkdir -p "$folder"
}

refuse_second() {
  fail "the agent of this location runs here already: stop that one first, then run this line again"
}

# Writes whose the new folder is, if it is no one's. A link is made whole or not at all: who reads the name reads all of it.
take_folder() {
  printf '%s\n' "$location" >"$folder/location.$$"
  ln "$folder/location.$$" "$folder/location" 2>/dev/null && taken=yes || taken=
  rm "$folder/location.$$"
  [ -z "$taken" ] || return 0
  ! grep -qsxF "$location" "$folder/location" || refuse_second
  return 1
}

# Writes whose the folder is. First lines may run at the same time: a folder is of the one that writes first.
name_folder() {
  if [ -z "$named" ] && ! take_folder; then
    folder=$home/agents/$location
    mkdir -p "$folder"
    take_folder || true
  fi
  printf '%s\n' "$location" >"$folder/location"
}

# Whether a process runs the program in folder $1.
is_run() {
  for process in /proc/[0-9]*; do
    read_words "${process#/proc/}"
    case $words in *"$1/"*) return 0 ;; esac
  done
  return 1
}

# Removes the programs but $1, the newest other one, and those that an agent of another location runs.
remove_old_programs() {
  remove_rests "$home/program/" new
  remove_rests "$1/runtime/" part
  ls -1t "$home/program" | sed "/^${1##*/}\$/d; /\.new\$/d" | tail -n +2 |
    while IFS= read -r old; do is_run "$home/program/$old" || rm -rf "$home/program/$old"; done
}

run_here() {
  [ -n "${HOME:-}" ] || fail "HOME is not set: set it to a folder of yours"
  mkdir -p "$HOME/.picket"
  # Without links, as it is in the arguments of an agent.
  home=$(readlink -f "$HOME/.picket")
  find_token "$home/token"
  find_location
  choose_folder
  program=$home/program/$(printf %.16s "$program_sha256")
  mkdir -p "$home/program"
  put_program "$program"
  has_node || put_runtime "$program" "Node.js 26"
  try_program "$program"
  remove_old_programs "$program"
  name_folder
  printf '%s\n' "$token" >"$folder/token.new"
  mv "$folder/token.new" "$folder/token"
  unset PICKET_TOKEN
  export PICKET_TOKEN_FILE="$folder/token" PICKET_STATE_DIR="${PICKET_STATE_DIR:-$folder/state}" SERVICE_API_URL="$url"
  listen=
  [ -n "${PICKET_LISTEN:-}" ] || find_port
  [ -z "$listen" ] || export PICKET_LISTEN="$listen"
  say "the agent runs until Ctrl-C; its files are in $folder${listen:+, and its page is at http://$listen, since port 8686 is taken}"
  echo $$ >"$folder/pid"
  exec "$program/bin/picket" agent </dev/null
}

run_by_systemd() {
  etc=${DESTDIR:-}/etc/picket
  [ -n "${DESTDIR:-}" ] || [ "$(id -u)" = 0 ] || fail "run it as root"
  find_token "$etc/token"
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  put_program "$work/program"
  installer=$work/program/systemd/install.sh
  installed=$work/program
  if "$installer" --find-node >/dev/null 2>&1; then
    installed=$work/program/dist
  else
    put_runtime "$work/program" "Node.js 26 in /usr/local or /usr, which the unit sees"
  fi
  try_program "$work/program"
  # It stays with the program: without a clone, it is what takes the agent away again.
  [ "$installed" = "$work/program" ] || cp -R "$work/program/systemd" "$installed/systemd"
  printf '%s\n' "$token" >"$work/token"
  # It checks all of them before it changes anything.
  "$installer" ${authority:+--ca "$authority"} \
    ${PICKET_ALLOW_HTTP:+--set "PICKET_ALLOW_HTTP=$PICKET_ALLOW_HTTP"} \
    "$installed" "$url" "$work/token" </dev/null
}

build_image() {
  need docker
  find_token /dev/null
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  fetch "$work/picket.tgz" picket.tgz "$program_sha256"
  docker build --tag "$1" ${PICKET_NODE_IMAGE:+--build-arg "NODE_IMAGE=$PICKET_NODE_IMAGE"} - <"$work/picket.tgz" >&2
}

prepare_kubernetes() {
  build_image "$1"
  (umask 022 && tar -xzf "$work/picket.tgz" -C "$work" picket-chart)
  if [ -e picket-chart ] && ! diff -r picket-chart "$work/picket-chart" >/dev/null 2>&1; then
    before=picket-chart.$(date +%Y%m%dT%H%M%S)
    mv picket-chart "$before"
    say "the chart that was in ./picket-chart is now in ./$before"
  fi
  [ -e picket-chart ] || cp -R "$work/picket-chart" picket-chart
  say "the image is $1, and the chart is in ./picket-chart"
}

run_by_docker() {
  image=picket-agent:$version
  need docker
  find_token /dev/null
  container=${PICKET_CONTAINER:-picket}
  find_location
  # An earlier script named the location by its token.
  before=$(printf %s "$url $token" | sha256sum | cut -c 1-16)
  if docker container inspect "$container" >/dev/null 2>&1; then
    label=$(docker container inspect --format '{{index .Config.Labels "picket.start"}}' "$container")
    case $label in
      "$location" | "$before") ;;
      *) { [ -n "$label" ] && keeps_token; } || fail "the container $container was not started by this line for this location and address. To run this agent next to it, put PICKET_CONTAINER=$container-2 before sh. To replace it and keep its state, run docker rm --force $container, then this line. If it is another location's, run between the two: docker volume rm $container-state $container-secrets" ;;
    esac
  fi
  build_image "$image"
  # Token and authority are in a volume, which only the agent's user reads: no argument, no variable and no layer has them.
  set_secret token "$token"
  [ -z "$authority" ] || set_secret ca.pem "$(cat "$authority")"
  if docker container inspect "$container" >/dev/null 2>&1; then
    docker stop --time 40 "$container" >/dev/null
    docker rm "$container" >/dev/null
  fi
  network=
  listen=${PICKET_LISTEN:-}
  case $url in
    *://127.* | *://localhost | *://localhost:* | *://\[::1\]*)
      network=yes
      # The image's own address would open the agent's page to the network there.
      [ -n "$listen" ] || find_port
      [ -n "$listen" ] || listen=127.0.0.1:$port
      ;;
  esac
  # Nothing could be asked then.
  unasked=
  case $listen in [Oo][Ff][Ff]) unasked=yes ;; esac
  docker run --detach --name "$container" --label "picket.start=$location" --restart unless-stopped --read-only --cap-drop ALL \
    --security-opt no-new-privileges --memory 192m --volume "$container-state:/var/lib/picket" \
    --volume "$container-secrets:/run/secrets:ro" --env PICKET_TOKEN_FILE=/run/secrets/token \
    ${authority:+--env PICKET_CA_FILE=/run/secrets/ca.pem} ${network:+--network host} \
    ${PICKET_ALLOW_HTTP:+--env "PICKET_ALLOW_HTTP=$PICKET_ALLOW_HTTP"} ${listen:+--env "PICKET_LISTEN=$listen"} \
    ${unasked:+--no-healthcheck} \
    --env SERVICE_API_URL="$url" "$image" >/dev/null
  say "the agent runs in the container $container: docker logs --follow $container"
}

# Whether the container has this token: then it is of this location, also if the service has another address now.
keeps_token() {
  [ "$(docker cp "$container:/run/secrets/token" - 2>/dev/null | tar -xOf - 2>/dev/null)" = "$token" ]
}

set_secret() {
  printf '%s\n' "$2" | docker run --rm --interactive --user 0 --network none --volume "$container-secrets:/run/secrets" \
    --entrypoint /bin/sh "$image" -c 'umask 077 && cat >"/run/secrets/$0" && chown -R 65532:65532 /run/secrets' "$1"
}

# The whole file is read before anything of it is run.
main() {
  need curl tar gzip sha256sum
  [ -n "$url" ] || fail "SERVICE_API_URL is missing: set it to the address of the service"
  case "$*" in
    '') run_here ;;
    systemd) run_by_systemd ;;
    docker) run_by_docker ;;
    'kubernetes '*) prepare_kubernetes "$2" ;;
    *) fail "unknown: $*. It is one of: systemd, docker, kubernetes IMAGE; or nothing" ;;
  esac
}
main "$@"

#!/bin/sh
# Runs the program on what the service sent with it, else on the Node.js 26 in the PATH.
here=$(dirname "$(readlink -f "$0")")/..
[ ! -x "$here/runtime/picket" ] || exec "$here/runtime/picket" "$@"
node=$here/runtime/node
if [ ! -x "$node" ]; then
  node=node
  case "$(node --version 2>/dev/null)" in
    v2[6-9].* | v[3-9][0-9].*) ;;
    *)
      echo "picket: Node.js 26 is needed, and node in the PATH is $(node --version 2>/dev/null || echo missing): install it, or use the one file of the release" >&2
      exit 78
      ;;
  esac
fi
exec "$node" --disable-warning=ExperimentalWarning --disable-sigusr1 --min-semi-space-size=1 --max-semi-space-size=1 --no-parallel-scavenge "$here/dist/picket.mjs" "$@"

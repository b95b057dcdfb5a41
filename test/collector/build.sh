#!/usr/bin/env bash
# Builds the OpenTelemetry Collector that npm run test:collector starts, once, and prints where it is. Needs Go
# of any age.
set -euo pipefail
cd "$(dirname "$0")/program"
version=$(sed -n 's|.*go.opentelemetry.io/collector/otelcol v||p' go.mod)
# What was built from other sources is not taken for this one.
digest=$(cat main.go go.mod go.sum | sha256sum | cut -c1-12)
program=${XDG_CACHE_HOME:-$HOME/.cache}/picket/otelcol-$version-$digest
if [ ! -x "$program" ]; then
  mkdir -p "$(dirname "$program")"
  work=$(mktemp -d)
  trap 'chmod -R u+w "$work"; rm -rf "$work" "$program.$$"' EXIT
  # Debian's, which is not in the PATH.
  PATH="$PATH:/usr/lib/go-1.19/bin"
  command -v go >/dev/null || { echo 'Building the collector needs Go: apt-get install golang-1.19-go, or a later one.' >&2; exit 1; }
  needed=$(sed -n 's/^go //p' go.mod)
  has=$(cd / && go env GOVERSION | sed 's/^go//')
  if [ "$(printf '%s\n' "$needed" "$has" | sort -V | head -n 1)" != "$needed" ]; then
    # An older one fetches a newer: the modules' proxy has the compiler, too, as a module whose sum is held here.
    [ "$(uname -m)" = x86_64 ] || { echo "Building the collector needs Go $needed or later: install it first." >&2; exit 1; }
    echo "Fetching Go $needed." >&2
    fetched=$(cd / && GOPATH=$work GONOSUMDB=golang.org/toolchain go mod download -json "golang.org/toolchain@v0.0.1-go$needed.linux-amd64")
    grep -q '"Sum": "h1:wVC9wx2XOcP5gHiN8ZzfyTfjlrDLSS7Hu1wjI01n68U="' <<<"$fetched" || { echo "What came as Go $needed is another: $fetched" >&2; exit 1; }
    compiler=$(sed -n 's/^.*"Dir": "\(.*\)",$/\1/p' <<<"$fetched")
    chmod -R u+wx "$compiler/bin" "$compiler/pkg/tool"
    PATH="$compiler/bin:$PATH"
  fi
  echo "Building the collector $version, which takes some minutes." >&2
  CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o "$program.$$" .
  mv "$program.$$" "$program"
fi
echo "$program"

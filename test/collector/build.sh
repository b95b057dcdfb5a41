#!/usr/bin/env bash
# Builds the OpenTelemetry Collector that npm run test:collector starts, once, and prints where it is. Needs Go.
set -euo pipefail
cd "$(dirname "$0")/program"
version=$(sed -n 's|.*go.opentelemetry.io/collector/otelcol v||p' go.mod)
# What was built from other sources is not taken for this one.
digest=$(cat main.go go.mod go.sum | sha256sum | cut -c1-12)
program=${XDG_CACHE_HOME:-$HOME/.cache}/picket/otelcol-$version-$digest
if [ ! -x "$program" ]; then
  command -v go >/dev/null || { echo 'Building the collector needs Go 1.25 or later: install it first.' >&2; exit 1; }
  echo "Building the collector $version, which takes some minutes." >&2
  mkdir -p "$(dirname "$program")"
  trap 'rm -f "$program.$$"' EXIT
  CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o "$program.$$" .
  mv "$program.$$" "$program"
fi
echo "$program"

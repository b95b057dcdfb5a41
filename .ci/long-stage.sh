#!/usr/bin/env bash
# Runs a stage that takes too long for each change, e.g. .ci/long-stage.sh kubernetes. If it ran whole and passed, that is
# recorded in .ci/passed.json: commit it with the change, and .ci/run does not repeat the stage.
set -euo pipefail
stage=$1
shift
digest=$(node .ci/long-stages.ts digest "$stage")
vitest run --project "$stage" "$@"
[ $# -gt 0 ] || node .ci/long-stages.ts passed "$stage" "$digest"

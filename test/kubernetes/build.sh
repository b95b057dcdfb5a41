#!/usr/bin/env bash
# Builds the programs of a real Kubernetes from Debian's source package into a cache folder, once, in some minutes, and
# prints the folder. npm run test:kubernetes rolls Picket out on them. The machine's own apt configuration stays as it is.
set -euo pipefail
version=1.20.2
folder="${XDG_CACHE_HOME:-$HOME/.cache}/picket/kubernetes-$version"
programs=(kube-apiserver kube-controller-manager kube-scheduler kubelet)
if [ -x "$folder/kubelet" ]; then
  echo "$folder"
  exit
fi

# The Go that Debian builds this source with.
export PATH="/usr/lib/go-1.19/bin:$PATH"
needed=(golang-1.19-go:/usr/lib/go-1.19/bin/go dpkg-dev:dpkg-source patch:patch make:make rsync:rsync jq:jq)
missing=()
for entry in "${needed[@]}"; do
  command -v "${entry#*:}" >/dev/null || missing+=("${entry%:*}")
done
if [ ${#missing[@]} -gt 0 ]; then
  echo "To build Kubernetes, install first: apt-get install --no-install-recommends ${missing[*]}" >&2
  exit 1
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/go/src/k8s.io"
mirror=$(grep -rhoE 'https?://[^ ]+/debian/?( |$)' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null | head -n 1 || true)
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${mirror:-http://deb.debian.org/debian} bookworm main" >"$work/sources"
options=(-o "Dir::Etc::SourceList=$work/sources" -o Dir::Etc::SourceParts=/dev/null -o "Dir::State::Lists=$work/lists"
  -o "Dir::Cache=$work/cache" -o APT::Sandbox::User=root)
apt-get "${options[@]}" update -qq >&2
(cd "$work" && apt-get "${options[@]}" source --download-only -qq kubernetes >&2)
source=$work/go/src/k8s.io/kubernetes
dpkg-source -x "$work"/kubernetes_*.dsc "$source" >&2

# A pod's sandbox asks the kernel to be spared, which a container or a small machine may not: it asks for nothing instead.
sed -i 's/defaultSandboxOOMAdj int = -998/defaultSandboxOOMAdj int = 0/' "$source/pkg/kubelet/dockershim/docker_sandbox.go"
HOME=$work GOPATH=$work/go CGO_ENABLED=0 make -C "$source" WHAT="${programs[*]/#/cmd/}" >&2

mkdir -p "$folder"
# In this order the kubelet comes last: where it stands, all is there.
for program in "${programs[@]}"; do
  mv "$source/_output/bin/$program" "$folder/"
done
echo "$folder"

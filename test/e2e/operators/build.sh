#!/usr/bin/env bash
# Builds operators from their published Go modules into $REFERENCE_BIN/operators (default
# ~/.cache/kubernetes-reference/bin): `build.sh [cert-manager | gatekeeper | kyverno]…`, half an hour for all on two cores.
# What is there already stays. NAME-module leads to the source of a module, with its manifests.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=${REFERENCE_ROOT:-$HOME/.cache/kubernetes-reference}
out=${REFERENCE_BIN:-$root/bin}/operators
mkdir -p "$root" "$out"
export CGO_ENABLED=0 GOFLAGS="${GOFLAGS:-} -buildvcs=false"

module() { # NAME MODULE@VERSION: prints the folder of its source
  local folder
  folder=$(cd "$root" && go mod download -json "$2" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
  ln -sfn "$folder" "$out/$1-module"
  echo "$folder"
}

build() { # FOLDER PROGRAM PACKAGE
  [ -x "$out/$2" ] || (cd "$1" && go build -ldflags='-s -w' -o "$out/$2" "$3")
}

[ $# -gt 0 ] || set -- cert-manager gatekeeper kyverno
for name; do
  case $name in
  cert-manager)
    source=$(module cert-manager github.com/cert-manager/cert-manager@v1.21.2)
    # Its commands are modules of their own, which are not published: ours uses the same packages, within a copy, since
    # most of them are internal.
    copy=$(mktemp -d)
    trap 'rm -rf "$copy"' EXIT
    cp -R "$source/." "$copy" && chmod -R u+w "$copy"
    mkdir -p "$copy/cmd/programs"
    cp "$here/../../recorders/cert-manager/main.go.txt" "$copy/cmd/programs/main.go"
    build "$copy" cert-manager ./cmd/programs
    ;;
  gatekeeper)
    source=$(module gatekeeper github.com/open-policy-agent/gatekeeper/v3@v3.23.1)
    build "$source" gatekeeper .
    ;;
  kyverno)
    source=$(module kyverno github.com/kyverno/kyverno@v1.19.1)
    build "$source" kyverno ./cmd/kyverno
    build "$source" kyverno-background-controller ./cmd/background-controller
    ;;
  *)
    echo "operators are cert-manager, gatekeeper and kyverno" >&2
    exit 2
    ;;
  esac
done

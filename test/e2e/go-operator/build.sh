#!/usr/bin/env bash
# Builds the tests of an operator in Go (cert-manager's approver-policy), those that use envtest, from its published Go module
# into $REFERENCE_BIN/approver-policy (default ~/.cache/kubernetes-reference/bin): a few minutes on two cores. What is there
# already stays.
set -euo pipefail
version=v0.28.0
root=${REFERENCE_ROOT:-$HOME/.cache/kubernetes-reference}
out=${REFERENCE_BIN:-$root/bin}/approver-policy
mkdir -p "$root" "$out"
dir_of() { go mod download -json "$1" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p'; }
module=$(cd "$root" && dir_of "github.com/cert-manager/approver-policy@$version")
ln -sfn "$module" "$out/module"
cd "$module"
ln -sfn "$(dir_of "$(go list -m github.com/cert-manager/cert-manager | tr ' ' '@')")" "$out/cert-manager"
for package in pkg/internal/controllers/test pkg/internal/approver/manager pkg/internal/approver/manager/predicate; do
  program=$out/$(echo "$package" | tr / -).test
  [ -x "$program" ] || go test -ldflags='-s -w' -c -o "$program" "./$package"
done

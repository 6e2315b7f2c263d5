#!/usr/bin/env bash
# Builds the tests of controller-runtime (its packages that use envtest) from its published Go module into
# $REFERENCE_BIN/controller-runtime (default ~/.cache/kubernetes-reference/bin): a few minutes on two cores. What is there
# already stays.
set -euo pipefail
version=v0.24.1 # of Kubernetes 1.36
root=${REFERENCE_ROOT:-$HOME/.cache/kubernetes-reference}
out=${REFERENCE_BIN:-$root/bin}/controller-runtime
mkdir -p "$root" "$out"
module=$(cd "$root" && go mod download -json "sigs.k8s.io/controller-runtime@$version" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
ln -sfn "$module" "$out/module"
for package in client cache envtest builder manager controller source webhook; do
  [ -x "$out/$package.test" ] || (cd "$module" && go test -ldflags='-s -w' -c -o "$out/$package.test" "./pkg/$package")
done

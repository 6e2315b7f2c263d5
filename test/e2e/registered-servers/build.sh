#!/usr/bin/env bash
# Builds metrics-server from its published Go module into $REFERENCE_BIN (default ~/.cache/kubernetes-reference/bin): about five
# minutes on two cores. One that is there already stays.
set -euo pipefail
version=v0.9.0
bin=${REFERENCE_BIN:-${REFERENCE_ROOT:-$HOME/.cache/kubernetes-reference}/bin}
[ -x "$bin/metrics-server" ] || GOBIN=$bin GOFLAGS=-mod=mod go install "sigs.k8s.io/metrics-server/cmd/metrics-server@$version"

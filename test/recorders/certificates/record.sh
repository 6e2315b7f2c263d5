#!/bin/sh
# Makes test/robustness/attacks/identity/certificates/gen/chains.json: hostile certificate chains and what kube-apiserver's authenticator says of each. Needs Go.
set -eu
cd "$(dirname "$0")"
chains=../../robustness/attacks/identity/certificates/gen/chains.json
GOFLAGS=-mod=mod go run . chains > "$chains.new"
mv "$chains.new" "$chains"

#!/bin/sh
# Makes gen/chains.json: hostile certificate chains and what kube-apiserver's authenticator says of each. Needs Go.
set -eu
cd "$(dirname "$0")/record"
GOFLAGS=-mod=mod go run . chains > ../gen/chains.json.new
mv ../gen/chains.json.new ../gen/chains.json

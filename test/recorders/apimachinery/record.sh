#!/bin/sh
# Writes shared/apimachinery/testdata/expected.json: the answers of the published Kubernetes modules to inputs.json. Needs Go.
set -eu
cd "$(dirname "$0")"
data=../../../shared/apimachinery/testdata
go run -mod=mod . < "$data/inputs.json" > "$data/expected.json"

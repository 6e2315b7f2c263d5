#!/bin/sh
# Writes expected.json: the answers of the published Kubernetes modules to inputs.json. Needs Go.
set -eu
cd "$(dirname "$0")"
go run -mod=mod . < ../inputs.json > ../expected.json

#!/bin/sh
# Writes expected.json: the rows of the reference's printers for the objects of inputs.json. Needs Go.
set -eu
cd "$(dirname "$0")"
go run -mod=mod . < ../inputs.json > ../expected.json

#!/bin/sh
# Writes test/integration/table-rows/testdata/expected.json: the rows of the reference's printers for the objects of
# inputs.json. Needs Go.
set -eu
cd "$(dirname "$0")"
data=../../integration/table-rows/testdata
go run -mod=mod . < "$data/inputs.json" > "$data/expected.json"

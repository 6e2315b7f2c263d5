#!/bin/sh
# Asks the reference's decoders again about the bodies in shared/serializer/testdata/bodies.json and writes their answers there.
# New bodies: add {"kind": …, "body": …} to the file first.
set -eu
cd "$(dirname "$0")"
data=../../../../shared/serializer/testdata/bodies.json
GOFLAGS=-mod=mod go run . "$data" "$data"

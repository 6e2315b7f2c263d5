#!/bin/sh
# Fills FOLDER with COUNT objects of every built-in kind (the first empty, the rest random by SEED), printed by the
# reference's serializers. Then: node --import tsx test/conformance/codec-fixtures/check-random.ts FOLDER
# Usage: generate.sh FOLDER [COUNT [SEED]]
set -eu
folder=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")"
GOFLAGS=-mod=mod go run . "$folder" "${2:-12}" "${3:-1}"

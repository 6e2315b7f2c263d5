#!/usr/bin/env bash
# Writes shared/api/gen anew from the published modules of Kubernetes and from recorded.json:
#   generate.sh [OUT-FOLDER=shared/api/gen]
# Needs Go and, the first time, the module proxy. recorded.json is made by record.ts from two running servers.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$(mkdir -p "${1:-$here/../gen}" && cd "${1:-$here/../gen}" && pwd)
rm -rf "${out:?}"/{types,bootstrap,resources.json}
cd "$here" && go run -mod=mod . recorded.json "$out"

#!/usr/bin/env bash
# Writes shared/api/gen anew from the published modules of Kubernetes and from recorded.json:
#   generate.sh [OUT-FOLDER=shared/api/gen]
# Needs Go and, the first time, the module proxy. recorded.json is made by record.ts from two running servers.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
out=${1:-$root/shared/api/gen}
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
(cd "$here" && go run -mod=mod . recorded.json "$fresh")
mkdir -p "$out"
# Swapped in only when all of it was written: a server that runs from source may read it at any time.
for part in types bootstrap resources.json feature-gates.json time-zones.json; do
  rm -rf "${out:?}/$part"
  cp -r "$fresh/$part" "$out/$part"
done
if [ $# -eq 0 ]; then
  # Digests of sources and outcome, for machines without Go.
  (cd "$root" && PATH=$PWD/node_modules/.bin:$PATH node --import tsx test/quality/check.ts facts-freshness --write)
fi

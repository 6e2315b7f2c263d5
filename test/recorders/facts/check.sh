#!/usr/bin/env bash
# Fails when shared/api/gen differs from what the generator writes now.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
generated=$here/../../../shared/api/gen
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
"$here/generate.sh" "$fresh"
diff -r "$generated" "$fresh" && echo 'shared/api/gen is fresh'

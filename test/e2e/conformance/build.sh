#!/usr/bin/env bash
# Builds e2e.test from the published Go modules into $REFERENCE_BIN (default ~/.cache/kubernetes-reference/bin): ten minutes or
# more on two cores. One that is there already stays.
set -euo pipefail
version=v1.36.3 staging=v0.36.3
bin=${REFERENCE_BIN:-${REFERENCE_ROOT:-$HOME/.cache/kubernetes-reference}/bin}
[ ! -x "$bin/e2e.test" ] || exit 0
source=$(mktemp -d)
trap 'chmod -R u+w "$source"; rm -rf "$source"' EXIT
module=$(cd "$source" && go mod download -json "k8s.io/kubernetes@$version" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
cp -r "$module/." "$source"
chmod -R u+w "$source"
rm -rf "$source"/{go.work,go.work.sum,vendor}
# The published module asks for its libraries in its own tree, where they are not.
sed -i -E "s#^(\s*)(k8s\.io/[a-z-]+) => \./staging/src/\S+#\1\2 => \2 $staging#" "$source/go.mod"
(cd "$source" && go test -mod=mod -c -o "$bin/e2e.test" ./test/e2e)

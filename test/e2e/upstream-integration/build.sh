#!/usr/bin/env bash
# Builds upstream's own integration tests of v1.36.3 into $REFERENCE_BIN/integration (default ~/.cache/kubernetes-reference/bin),
# with the files of overlay/ in the place of those that start the reference within the tests' own process:
#   build.sh [--plain] PACKAGE…
# A package is one below test/integration of k8s.io/kubernetes, or apiextensions-apiserver, or one below test/integration of
# that module. --plain leaves the reference in, to see what passes there (NAME.plain.test). A minute each once Go has built
# kube-apiserver there, much longer before. What is built is built again when overlay/ is newer.
# Without symbols linking takes a fifth of the time.
set -euo pipefail
version=v1.36.3 staging=v0.36.3
here=$(cd "$(dirname "$0")" && pwd)
root=${REFERENCE_ROOT:-$HOME/.cache/kubernetes-reference}
out=${REFERENCE_BIN:-$root/bin}/integration
kubernetes=$root/kubernetes extensions=$root/apiextensions-apiserver
plain=
if [ "${1:-}" = --plain ]; then plain=.plain; shift; fi
mkdir -p "$root" "$out"

# Go lays nothing over what lies in its cache of modules.
copy_module() { # MODULE@VERSION FOLDER
  local module
  module=$(cd "$root" && go mod download -json "$1" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
  rm -rf "$2"
  cp -r "$module" "$2"
  chmod -R u+w "$2"
}
if [ ! -f "$kubernetes/go.mod" ]; then
  copy_module "k8s.io/kubernetes@$version" "$kubernetes.tmp"
  rm -rf "$kubernetes.tmp"/{go.work,go.work.sum,vendor}
  # The published module asks for its libraries in its own tree, where they are not.
  sed -i -E "s#^(\s*)(k8s\.io/[a-z-]+) => \./staging/src/\S+#\1\2 => \2 $staging#" "$kubernetes.tmp/go.mod"
  mv "$kubernetes.tmp" "$kubernetes"
fi
if [ ! -f "$extensions/go.mod" ]; then
  copy_module "k8s.io/apiextensions-apiserver@$staging" "$extensions.tmp"
  mv "$extensions.tmp" "$extensions"
fi
# Modules keep no modes of files; plugins for credentials are run. The copy may be another tool's.
find "$kubernetes/test/integration" -name '*.sh' ! -name '*not-executable*' -exec chmod +x {} +
# Some tests read recorded objects there.
mkdir -p "$kubernetes/staging/src/k8s.io"
ln -sfn "$(cd "$kubernetes" && go list -mod=mod -m -f '{{.Dir}}' k8s.io/api)" "$kubernetes/staging/src/k8s.io/api"

overlay=$(mktemp) changed=$(mktemp -d)
trap 'rm -rf "$overlay" "$changed"' EXIT
lay_over() { # FOLDER-OF-UPSTREAM FOLDER-OF-overlay…
  local target=$1 folder file
  shift
  for folder in "$@"; do for file in "$here/overlay/$folder"/*.go; do printf '"%s":"%s",' "$target/$(basename "$file")" "$file"; done; done
}
{
  printf '{"Replace":{'
  if [ -z "$plain" ]; then
    lay_over "$kubernetes/cmd/kube-apiserver/app/testing" process testing
    lay_over "$kubernetes/test/integration/framework" framework
    lay_over "$extensions/pkg/cmd/server/testing" process apiextensions
    lay_over "$kubernetes/test/integration/auth" auth
    # Counts since the test's last reset, which does not reach the server under test.
    auth=$kubernetes/test/integration/auth/authz_config_test.go
    sed -e 's/^\t\twebhookmetrics.ResetMetricsForTest()$/&; metricsReset()/' \
      -e 's/range strings.Split(string(data), "\\n") {$/&; line = sinceReset(line)/' "$auth" >"$changed/authz_config_test.go"
    printf '"%s":"%s",' "$auth" "$changed/authz_config_test.go"
  fi
  printf '"%s":""}}' "$kubernetes/cmd/kube-apiserver/app/testing/testserver_test.go"
} >"$overlay"

for package in "$@"; do
  binary=$out/${package//\//-}$plain.test
  if [ -x "$binary" ] && [ -z "$(find "$here/overlay" -name '*.go' -newer "$binary" -print -quit)" ]; then continue; fi
  case $package in
    apiextensions-apiserver*) source=$extensions below=${package#apiextensions-apiserver} ;;
    *) source=$kubernetes below=/$package ;;
  esac
  (cd "$source" && go test -mod=mod -ldflags="-s -w" -overlay "$overlay" -c -o "$binary" "./test/integration$below")
done

#!/bin/sh
# Runs upstream's own tests of packages that compile or evaluate CEL, over copies of cel-go and of their modules in which
# compiling, estimating and evaluating also write down what went in and came out, and leaves that in
# shared/cel/testdata/gen, a file a package. Needs Go and the module cache; about two minutes.
set -eu
cd "$(dirname "$0")"
here=$PWD
gen=$here/../../../shared/cel/testdata/gen
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT

copy() { # MODULE NAME
  cp -R "$(go list -mod=mod -m -f '{{.Dir}}' "$1")" "$work/$2"
  chmod -R u+w "$work/$2"
}
# Gives a function or method another name, so that the recording one in the overlay can have its own.
rename() { # FILE PATTERN REPLACEMENT
  grep -q "$2" "$1" || { echo "$1 has no $2" >&2; exit 1; }
  sed -i "s/$2/$3/" "$1"
}

copy github.com/google/cel-go cel-go
copy k8s.io/apiserver apiserver
copy k8s.io/dynamic-resource-allocation devices

cp overlay/cel_record.go "$work/cel-go/cel/"
rename "$work/cel-go/cel/env.go" '^func (e \*Env) CompileSource(' 'func (e *Env) compileSource('
rename "$work/cel-go/cel/env.go" '^func (e \*Env) EstimateCost(' 'func (e *Env) estimateCost('
rename "$work/cel-go/cel/env.go" '^func (e \*Env) Program(' 'func (e *Env) program('
rename "$work/cel-go/cel/program.go" '^func (p \*prog) Eval(' 'func (p *prog) eval('
rename "$work/cel-go/cel/program.go" '^type prog struct {' 'type prog struct {\n\trecordedText string\n\tfolded *prog'

admission=$work/apiserver/pkg/admission/plugin/cel
cp overlay/admission_record.go "$admission/"
rename "$admission/compile.go" '^func (c compiler) CompileCELExpression(' 'func (c compiler) compileCELExpression('
rename "$admission/condition.go" '^func (c \*condition) ForInput(' 'func (c *condition) forInput('

cp overlay/authentication_record.go "$work/apiserver/pkg/authentication/cel/"
rename "$work/apiserver/pkg/authentication/cel/compile.go" '^func (c compiler) compile(' 'func (c compiler) compileUnrecorded('
cp overlay/authorization_record.go "$work/apiserver/pkg/authorization/cel/"
rename "$work/apiserver/pkg/authorization/cel/compile.go" '^func (c compiler) CompileCELExpression(' 'func (c compiler) compileUnrecorded('
rename "$work/apiserver/pkg/authorization/cel/matcher.go" '^func (c \*CELMatcher) Eval(' 'func (c *CELMatcher) evalUnrecorded('

cp overlay/authorizer_record.go "$work/apiserver/pkg/cel/library/"
rename "$work/apiserver/pkg/cel/library/authz.go" '	return newDecision(decision, err, reason)' '	return recordedDecision(attr, decision, err, reason)'

cp overlay/devices_record.go "$work/devices/cel/"
rename "$work/devices/cel/compile.go" '^func (c compiler) CompileCELExpression(' 'func (c compiler) compileUnrecorded('
rename "$work/devices/cel/compile.go" '^func (c CompilationResult) DeviceMatches(' 'func (c CompilationResult) matchesUnrecorded('

cp "$(go env GOMOD)" "$(dirname "$(go env GOMOD)")/go.sum" "$work/"
cp -R environments cases "$work/"
cd "$work"
go mod edit -replace "github.com/google/cel-go=./cel-go" -replace "k8s.io/apiserver=./apiserver" -replace "k8s.io/dynamic-resource-allocation=./devices"

run() { # PACKAGE NAME
  rm -f "$work/lines"
  CEL_RECORD=$work/lines go test -mod=mod -p 1 -count=1 -parallel 1 "$1" >"$work/log" 2>&1 || { tail -40 "$work/log" >&2; exit 1; }
  node "$here/compact.mjs" "$work/lines" > "$gen/$2.json"
}
mkdir -p "$gen"
if [ "${1:-}" = cases ]; then node "$here/cases.mjs" | go run -mod=mod -tags recorded ./cases > "$gen/cases.json"; exit; fi
[ $# -eq 0 ] || { run "$1" "$2"; exit; }
go run -mod=mod ./environments > "$gen/environments.json"
node "$here/cases.mjs" | go run -mod=mod -tags recorded ./cases > "$gen/cases.json"
run k8s.io/apiserver/pkg/cel/library library
run k8s.io/apiserver/pkg/cel/environment environment
run k8s.io/apiserver/pkg/admission/plugin/cel admission
run k8s.io/apiserver/pkg/authentication/cel authentication
run k8s.io/apiserver/pkg/authorization/cel authorization
run k8s.io/dynamic-resource-allocation/cel devices

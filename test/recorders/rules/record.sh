#!/usr/bin/env bash
# Records what the tests of apiextensions-apiserver's packages schema/cel and validation compile and validate, with the results:
#   record.sh            needs Go and the module proxy
# Writes parts.json, compilations.jsonl, paths.jsonl, validations.jsonl and definitions.jsonl to
# servers/extensions/rules/testdata/gen; compact.ts says how they are kept small.
set -euo pipefail
version=v0.36.3
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source=$(cd "$work" && go mod download -json "k8s.io/apiextensions-apiserver@$version" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
cp -r "$source/." "$work/module" && chmod -R u+w "$work/module"
cd "$work/module/pkg/apiserver/schema/cel"
cp "$here/overlay/recording.go" .
sed -i 's/^func Compile(/func compileUnrecorded(/' compilation.go
sed -i -e 's/^func (s \*Validator) Validate(/func (s *Validator) validateUnrecorded(/' \
  -e 's/^func ValidFieldPath(/func validFieldPathUnrecorded(/' \
  -e 's/^\tSchema \*schema.Structural$/&\n\n\tperCallLimit uint64/' \
  -e 's/^\t\t\tSchema:  *nodeSchema,$/&\n\t\t\tperCallLimit: perCallLimit,/' validation.go
cd "$work/module/pkg/apis/apiextensions/validation"
cp "$here/overlay/recording_definitions.go" .
sed -i 's/^func validateCustomResourceDefinitionValidation(/func validateCustomResourceDefinitionValidationUnrecorded(/' validation.go
cd "$work/module/pkg"
for package in apiserver/schema/cel apis/apiextensions/validation; do
  RULES_RECORDING="$work/recorded.jsonl" go test -count=1 -run Test "./$package"
done
(cd "$here" && PATH=$root/node_modules/.bin:$PATH node --import tsx compact.ts "$work/recorded.jsonl" \
  "$root/servers/extensions/rules/testdata/gen")

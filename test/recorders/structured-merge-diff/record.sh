#!/usr/bin/env bash
# Records what the tests of structured-merge-diff ask of the module and what it answers. Run by hand where Go and the module
# (in its cache) are: test/recorders/structured-merge-diff/record.sh
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
version=v6.3.3
module=$(go env GOMODCACHE)/sigs.k8s.io/structured-merge-diff/v6@$version
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cp -r "$module/." "$work"
chmod -R u+w "$work"
cd "$work"

# Each recorded function is renamed, and its name taken by one that notes the call.
rename() { # file, then patterns `receiver|name`
  local file=$1
  shift
  for name in "$@"; do sed -i -E "s/^func (\([a-z]+ \*?[A-Za-z]+\) )?$name\(/func \1recorded$name(/" "$file"; done
}
mkdir internal/record
cp "$here/record.go.txt" internal/record/record.go
cp "$here/schema.go.txt" schema/recorded.go
cp "$here/fieldpath.go.txt" fieldpath/recorded.go
cp "$here/typed.go.txt" typed/recorded.go
cp "$here/merge.go.txt" merge/recorded.go
sed -i -E 's/^func \(s \*Set\) (Union|Intersection|Difference|RecursiveDifference|Leaves|Equals|Has|EnsureNamedFieldsAreMembers)\(/func (s *Set) recorded\1(/' fieldpath/set.go
rename fieldpath/serialize.go FromJSON
sed -i -E 's/^func \(e PathElement\) Compare\(/func (e PathElement) recordedCompare(/' fieldpath/element.go
rename fieldpath/serialize-pe.go DeserializePathElement
rename typed/typed.go AsTyped ToFieldSet Merge Compare RemoveItems
rename typed/reconcile_schema.go ReconcileFieldSetWithSchema
rename merge/update.go Update Apply

out=$here/../../conformance/structured-merge-diff/testdata
mkdir -p "$out"
run() { # name of the file, package, kinds
  rm -f "$work/lines"
  SMD_RECORD_FILE=$work/lines SMD_RECORD_KINDS=$3 go test "./$2" -count=1 "${@:4}" > "$work/log" || { cat "$work/log"; exit 1; }
  node "$here/gather.mjs" "$work/lines" "$out/$1.json"
}
cp "$here/random_test.go.txt" merge/random_test.go
export SMD_RECORD_ROUNDS=${SMD_RECORD_ROUNDS:-150} SMD_RECORD_SEED=${SMD_RECORD_SEED:-1}
if [ -n "${SMD_RECORD_RANDOM_TO:-}" ]; then # more of the random calls, for a check by hand
  out=$SMD_RECORD_RANDOM_TO
  SMD_RECORD_MAX=150 run random merge typed,updater -run "^TestRandom$"
  exit
fi
run fieldpath fieldpath set,named,element -run 'Test'
run typed typed typed -run 'Test'
run merge merge typed,named,updater -run 'Test' -skip '^TestRandom$'
SMD_RECORD_MAX=150 run random merge typed,updater -run "^TestRandom$"

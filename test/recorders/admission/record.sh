#!/bin/sh
# Runs upstream's own tests of admission policies and webhooks over a copy of apiserver in which the functions that they test also
# write down what they are asked and what they answer, and leaves that below shared/admission, a file a table. Needs Go and
# the module cache; about two minutes. Writes the same bytes each time.
set -eu
cd "$(dirname "$0")"
here=$PWD
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cp -R "$(go list -mod=mod -m -f '{{.Dir}}' k8s.io/apiserver)" "$work/apiserver"
chmod -R u+w "$work/apiserver"
admission=$work/apiserver/pkg/admission
mkdir "$admission/recording"
cp overlay/recording.go ../recording/lines.go "$admission/recording/"

cover() { # OVERLAY PACKAGE: adds a file to a package of plugins
  cp "overlay/$1.go" "$admission/plugin/$2/recorded_$1.go"
}
rename() { # FILE FUNCTION: gives a function or method the suffix Unrecorded, so that the overlay can have its own
  file=$admission/plugin/$1
  grep -Eq "^func (\([^)]*\) )?$2\(" "$file" || { echo "$1 has no $2" >&2; exit 1; }
  lower=$(echo "$2" | cut -c1 | tr '[:upper:]' '[:lower:]')$(echo "$2" | cut -c2-)
  sed -Ei "s/^func (\([^)]*\) )?$2\(/func \1${lower}Unrecorded(/" "$file"
}

cover cel_expression cel
cover validating_dispatch policy/validating
rename policy/validating/dispatcher.go Dispatch
cover validator policy/validating
rename policy/validating/validator.go Validate
cover mutating_patch policy/mutating/patch
rename policy/mutating/patch/json_patch.go Patch
rename policy/mutating/patch/smd.go Patch
rename policy/mutating/patch/smd.go ApplyStructuredMergeDiff
sed -i 's/:= ApplyStructuredMergeDiff(/:= applyStructuredMergeDiffUnrecorded(/' "$admission/plugin/policy/mutating/patch/smd.go"
cover mutating_policies policy/mutating
rename policy/mutating/compilation.go compilePolicy
rename policy/mutating/dispatcher.go NewDispatcher
cover matching policy/matching
rename policy/matching/matching.go Matches
cover webhook_generic webhook/generic
rename webhook/generic/webhook.go ShouldCallHook
cover rules webhook/predicates/rules
for part in scope group version operation resource; do rename webhook/predicates/rules/rules.go $part; done
cover namespace_labels webhook/predicates/namespace
rename webhook/predicates/namespace/matcher.go GetNamespaceLabels
cover object_selector webhook/predicates/object
rename webhook/predicates/object/matcher.go MatchObjectSelector
cover admission_review webhook/request
rename webhook/request/admissionreview.go VerifyAdmissionResponse
rename webhook/request/admissionreview.go CreateAdmissionObjects
cover webhook_errors webhook/errors
rename webhook/errors/statuserror.go ToStatusErr
cover webhook_validating webhook/validating
rename webhook/validating/dispatcher.go Dispatch
rename webhook/validating/dispatcher.go callHook
cover webhook_mutating webhook/mutating
for function in Dispatch callAttrMutatingHook mutationAnnotationValue jsonPatchAnnotationValue; do
  rename webhook/mutating/dispatcher.go $function
done
cover webhook_server webhook/testing
sed -i 's/http.HandlerFunc(handler)/recorded(handler)/' "$admission/plugin/webhook/testing/webhook_server.go"

cp "$(go env GOMOD)" "$(dirname "$(go env GOMOD)")/go.sum" "$work/"
cd "$work"
go mod edit -replace k8s.io/apiserver=./apiserver
plugins=k8s.io/apiserver/pkg/admission/plugin
# Left out: what looks into Go's own parts (panics of a client's maker, informers that have not started).
RECORDING=$work/lines go test -mod=mod -count=1 -skip 'Panic|PluginNotReady' $plugins/policy/validating $plugins/policy/mutating/... \
  $plugins/policy/matching $plugins/webhook/generic $plugins/webhook/predicates/... $plugins/webhook/request $plugins/webhook/errors \
  $plugins/webhook/validating $plugins/webhook/mutating
node "$here/split.mjs" "$work/lines" "$here/../../../shared/admission"

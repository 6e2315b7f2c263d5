#!/bin/sh
# Runs upstream's own tests of ABAC, of authorization webhooks and of AuthorizationConfiguration over copies in which the
# functions that they test also write down what they are asked and what they answer, and leaves that below
# shared/authorization, a file a table. Needs Go and the module cache; about two minutes.
set -eu
cd "$(dirname "$0")"
here=$PWD
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
for module in apiserver kubernetes; do
  from=$(go list -mod=mod -m -f '{{.Dir}}' "k8s.io/$module")
  mkdir "$work/$module"
  if [ $module = apiserver ]; then cp -R "$from/." "$work/$module"; else
    # Only the packages of ABAC, as a module of their own.
    mkdir -p "$work/kubernetes/pkg/auth/authorizer" "$work/kubernetes/pkg/apis"
    cp -R "$from/pkg/auth/authorizer/abac" "$work/kubernetes/pkg/auth/authorizer/"
    cp -R "$from/pkg/apis/abac" "$work/kubernetes/pkg/apis/"
    rm -rf "$work/kubernetes/pkg/apis/abac/fuzzer"
    cp "$from/go.mod" "$work/kubernetes/"
  fi
done
chmod -R u+w "$work"
mkdir "$work/apiserver/pkg/authorization/recording"
cp overlay/recording.go ../recording/lines.go "$work/apiserver/pkg/authorization/recording/"

cover() { # OVERLAY PACKAGE FILE FUNCTION…: adds a file to a package, and gives functions the suffix Unrecorded
  cp "overlay/$1.go" "$work/$2/recorded.go"
  file=$work/$2/$3
  shift 3
  for function in "$@"; do
    grep -Eq "^func (\([^)]*\) )?$function\(" "$file" || { echo "$file has no $function" >&2; exit 1; }
    lower=$(echo "$function" | cut -c1 | tr '[:upper:]' '[:lower:]')$(echo "$function" | cut -c2-)
    sed -Ei "s/^func (\([^)]*\) )?$function\(/func \1${lower}Unrecorded(/" "$file"
  done
}
cover abac kubernetes/pkg/auth/authorizer/abac abac.go NewFromFile Authorize RulesFor matches
cover load apiserver/pkg/apis/apiserver/load load.go LoadFromData
cover validation apiserver/pkg/apis/apiserver/validation validation.go ValidateAuthorizationConfiguration ValidateAndCompileMatchConditions
cover webhook apiserver/plugin/pkg/authorizer/webhook webhook.go subjectAccessReviewInterfaceFromConfig newWithBackoff Authorize \
  resourceAttributesFrom

cp "$(go env GOMOD)" "$(dirname "$(go env GOMOD)")/go.sum" "$work/"
cd "$work"
go mod edit -replace k8s.io/apiserver=./apiserver -replace k8s.io/kubernetes=./kubernetes
RECORDING=$work/lines go test -mod=mod -p 1 -count=1 -run 'Auth|Load|ABAC|File|Rules|Policy|Subject|MatchCond|V1|V1beta1|resourceAttributes' \
  k8s.io/kubernetes/pkg/auth/authorizer/abac k8s.io/apiserver/pkg/apis/apiserver/load k8s.io/apiserver/pkg/apis/apiserver/validation \
  k8s.io/apiserver/plugin/pkg/authorizer/webhook
node "$here/split.mjs" "$work/lines" "$here/../../../shared/authorization"

#!/bin/sh
# Runs upstream's own tests of AuthenticationConfiguration and of ID tokens over a copy of apiserver in which they also write
# down what they ask and what they are answered, and leaves that below shared/authentication, a file a table. Needs Go and the
# module cache; two minutes. Ports and some signatures are others each time.
set -eu
cd "$(dirname "$0")"
here=$PWD
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cp -R "$(go list -mod=mod -m -f '{{.Dir}}' k8s.io/apiserver)" "$work/apiserver"
chmod -R u+w "$work"
mkdir "$work/apiserver/pkg/authentication/recording"
cp overlay/recording.go ../recording/lines.go "$work/apiserver/pkg/authentication/recording/"

validation=$work/apiserver/pkg/apis/apiserver/validation
cp overlay/validation.go "$validation/recorded.go"
for function in ValidateAuthenticationConfiguration validateIssuerURL validateIssuerDiscoveryURL validateAudiences \
  validateCertificateAuthority validateClaimValidationRules validateClaimMappings validateUserValidationRules; do
  grep -q "^func $function(" "$validation/validation.go" || { echo "validation.go has no $function" >&2; exit 1; }
  lower=$(echo "$function" | cut -c1 | tr '[:upper:]' '[:lower:]')$(echo "$function" | cut -c2-)
  sed -i "s/^func $function(/func ${lower}Unrecorded(/" "$validation/validation.go"
done

oidc=$work/apiserver/plugin/pkg/authenticator/token/oidc
cp overlay/oidc_test.go.txt "$oidc/recorded_test.go"
sed -i -e 's/httptest.NewTLSServer(http.HandlerFunc(\(func(w http.ResponseWriter, r \*http.Request) {\)$/httptest.NewTLSServer(recordingHandler(http.HandlerFunc(\1/' \
  -e '/^	cs.Server = /,/^	}))$/s/^	}))$/	})))/' \
  -e 's/^	got, ok, err := a.AuthenticateToken(ctx, token)$/&\n	recordClaims(c, ts.URL, token, got, ok, err)/' "$oidc/oidc_test.go"
grep -q recordClaims "$oidc/oidc_test.go"
grep -q recordingHandler "$oidc/oidc_test.go"

cp "$(go env GOMOD)" "$(dirname "$(go env GOMOD)")/go.sum" "$work/"
cd "$work"
go mod edit -replace k8s.io/apiserver=./apiserver
RECORDING=$work/lines go test -mod=mod -p 1 -count=1 \
  -run 'TestValidateAuthentication|TestValidateIssuer|TestValidateAudiences|TestValidateCertificate|TestValidateClaim|TestValidateUser|TestToken' \
  k8s.io/apiserver/pkg/apis/apiserver/validation k8s.io/apiserver/plugin/pkg/authenticator/token/oidc
node "$here/split.mjs" "$work/lines" "$here/../../../shared/authentication"

// Records to whom upstream's authenticators say that bootstrap tokens belong, what its token webhook makes of answers, and its client
// of external signers of theirs.
//
//	cd test/recorders && go run ./operator-tokens ../../shared/authentication
package main

import (
	"bytes"
	"encoding/json"
	"log"
	"os"
	"path/filepath"
	"slices"

	"k8s.io/apiserver/pkg/authentication/authenticator"
)

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// verdict is what an authenticator says of a token; without a user it does not know the token.
type verdict struct {
	User      string              `json:"user,omitempty"`
	UID       string              `json:"uid,omitempty"`
	Groups    []string            `json:"groups,omitempty"`
	Extra     map[string][]string `json:"extra,omitempty"`
	Audiences []string            `json:"audiences,omitempty"`
	Error     string              `json:"error,omitempty"`
}

func verdictOf(response *authenticator.Response, ok bool, err error) verdict {
	if err != nil {
		return verdict{Error: err.Error()}
	}
	if !ok {
		return verdict{}
	}
	user := response.User
	audiences := slices.Clone(response.Audiences)
	slices.Sort(audiences)
	return verdict{User: user.GetName(), UID: user.GetUID(), Groups: user.GetGroups(), Extra: user.GetExtra(), Audiences: audiences}
}

// write prints a case a line.
func write[T any](path string, cases []T) {
	var out bytes.Buffer
	for i, one := range cases {
		out.WriteString(map[bool]string{true: "[\n", false: ",\n"}[i == 0])
		var line bytes.Buffer
		encoder := json.NewEncoder(&line)
		encoder.SetEscapeHTML(false)
		check(encoder.Encode(one))
		out.Write(bytes.TrimSpace(line.Bytes()))
	}
	out.WriteString("\n]\n")
	check(os.MkdirAll(filepath.Dir(path), 0o755))
	check(os.WriteFile(path, out.Bytes(), 0o644))
}

func main() {
	write(filepath.Join(os.Args[1], "bootstrap-tokens/testdata/verdicts.json"), bootstrapCases())
	write(filepath.Join(os.Args[1], "token-webhook/testdata/verdicts.json"), webhookCases())
	write(filepath.Join(os.Args[1], "external-signer/testdata/verdicts.json"), signerCases())
}

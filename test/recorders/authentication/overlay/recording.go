// Package recording writes down, as JSON lines in $AUTHENTICATION_RECORDING, what upstream's tests of issuers of JWTs ask and
// what they are answered. record.sh adds it to a copy of k8s.io/apiserver as pkg/authentication/recording.
package recording

import (
	"encoding/json"
	"os"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"
	api "k8s.io/apiserver/pkg/apis/apiserver"
	v1 "k8s.io/apiserver/pkg/apis/apiserver/v1"
)

var lock sync.Mutex

// Line adds a line to a table.
func Line(table string, line map[string]any) {
	line["table"] = table
	text, err := json.Marshal(line)
	if err != nil {
		panic(err)
	}
	lock.Lock()
	defer lock.Unlock()
	out, err := os.OpenFile(os.Getenv("AUTHENTICATION_RECORDING"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		panic(err)
	}
	defer out.Close()
	if _, err := out.Write(append(text, '\n')); err != nil {
		panic(err)
	}
}

// Configuration is the file of version v1 for a configuration.
func Configuration(c *api.AuthenticationConfiguration) v1.AuthenticationConfiguration {
	file := v1.AuthenticationConfiguration{}
	if err := v1.Convert_apiserver_AuthenticationConfiguration_To_v1_AuthenticationConfiguration(c, &file, nil); err != nil {
		panic(err)
	}
	file.APIVersion, file.Kind = "apiserver.config.k8s.io/v1", "AuthenticationConfiguration"
	return file
}

// Authenticator is the file for one issuer.
func Authenticator(a api.JWTAuthenticator) v1.AuthenticationConfiguration {
	return Configuration(&api.AuthenticationConfiguration{JWT: []api.JWTAuthenticator{a}})
}

// Texts are the texts of errors of fields.
func Texts(errors field.ErrorList) []string {
	texts := []string{}
	for _, err := range errors {
		texts = append(texts, err.Error())
	}
	return texts
}

// Package recording writes down what upstream's tests of issuers of JWTs ask and what they are answered. This
// file describes it, and ../../recording has the lines; record.sh adds both to a copy of k8s.io/apiserver as
// pkg/authentication/recording.
package recording

import (
	api "k8s.io/apiserver/pkg/apis/apiserver"
	v1 "k8s.io/apiserver/pkg/apis/apiserver/v1"
)

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

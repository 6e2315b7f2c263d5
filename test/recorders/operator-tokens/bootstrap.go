package main

import (
	"context"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	corev1listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/plugin/pkg/auth/authenticator/token/bootstrap"
)

const goodToken = "abcdef.0123456789abcdef"

type bootstrapCase struct {
	Secret *corev1.Secret `json:"secret,omitempty"`
	Token  string         `json:"token"`
	// Asked for; nil for a request.
	Audiences []string `json:"audiences,omitempty"`
	Verdict   verdict  `json:"verdict"`
}

func secret(change func(*corev1.Secret)) *corev1.Secret {
	s := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: "bootstrap-token-abcdef", Namespace: "kube-system"},
		Type:       "bootstrap.kubernetes.io/token",
		Data: map[string][]byte{
			"token-id":                       []byte("abcdef"),
			"token-secret":                   []byte("0123456789abcdef"),
			"usage-bootstrap-authentication": []byte("true"),
		},
	}
	change(s)
	return s
}

func with(key, value string) *corev1.Secret {
	return secret(func(s *corev1.Secret) { s.Data[key] = []byte(value) })
}

func bootstrapCases() []bootstrapCase {
	same := secret(func(*corev1.Secret) {})
	var cases []bootstrapCase
	add := func(s *corev1.Secret, token string, audiences ...string) {
		cases = append(cases, bootstrapCase{Secret: s, Token: token, Audiences: audiences})
	}
	for _, token := range []string{
		goodToken, "abcdef.0123456789abcdee", "abcdef.0123456789abcde", "abcdeg.0123456789abcdef", "abcde.0123456789abcdef",
		"ABCDEF.0123456789abcdef", "abcdef.0123456789ABCDEF", "abcdef.0123456789abcdef\n", " " + goodToken, "abcdef", "", "a.b.c",
	} {
		add(same, token)
	}
	add(nil, goodToken)
	add(same, goodToken, "api")
	add(same, goodToken, "other")
	add(same, goodToken, "other", "own", "api")
	add(secret(func(s *corev1.Secret) { s.Type = "Opaque" }), goodToken)
	add(secret(func(s *corev1.Secret) { s.Type = "" }), goodToken)
	add(secret(func(s *corev1.Secret) { s.Data = nil }), goodToken)
	add(secret(func(s *corev1.Secret) { s.DeletionTimestamp = &metav1.Time{} }), goodToken)
	add(with("token-id", "abcdeg"), goodToken)
	add(with("token-id", ""), goodToken)
	add(with("token-secret", "0123456789abcdeF"), goodToken)
	add(with("token-secret", ""), goodToken)
	for _, usage := range []string{"false", "True", "", "1", "true ", "true\n"} {
		add(with("usage-bootstrap-authentication", usage), goodToken)
	}
	add(secret(func(s *corev1.Secret) { delete(s.Data, "usage-bootstrap-authentication") }), goodToken)
	for _, expiration := range []string{
		"", "2099-01-01T00:00:00Z", "2099-01-01T00:00:00.5Z", "2099-01-01T00:00:00+02:00", "2001-01-01T00:00:00Z", "2099-01-01",
		"2099-01-01 00:00:00Z", "2099-01-01t00:00:00z", "2099-02-30T00:00:00Z", "2099-01-01T24:00:00Z", "4070908800", "never",
		"2099-01-01T00:00:00", "2099-1-01T00:00:00Z", " 2099-01-01T00:00:00Z", "20990-01-01T00:00:00Z", "2099-01-01T00:00:00,5Z",
	} {
		add(with("expiration", expiration), goodToken)
	}
	long := "system:bootstrappers:" + strings.Repeat("a", 256)
	for _, groups := range []string{
		"system:bootstrappers:foo", "system:bootstrappers:foo,system:bootstrappers:bar,system:bootstrappers:foo", "system:bootstrappers",
		"system:bootstrappers:", "system:bootstrappers:foo-", "system:bootstrappers:Foo", "system:masters", "system:bootstrappers:foo,", ",",
		"system:bootstrappers:a:b-c", "system:bootstrappers:foo,system:masters", " system:bootstrappers:foo", "system:bootstrappers:foo\n",
		"system:bootstrappers:foo, system:bootstrappers:bar", long, long + "a", "system:bootstrappers:ä", "xsystem:bootstrappers:foo",
		"system:bootstrappers:z,system:bootstrappers:1,system:bootstrappers::a",
	} {
		add(with("auth-extra-groups", groups), goodToken)
	}
	for i := range cases {
		cases[i].Verdict = bootstrapVerdict(cases[i])
	}
	return cases
}

func bootstrapVerdict(one bootstrapCase) verdict {
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	if one.Secret != nil {
		check(indexer.Add(one.Secret))
	}
	lister := corev1listers.NewSecretLister(indexer).Secrets("kube-system")
	token := authenticator.WrapAudienceAgnosticToken(authenticator.Audiences{"api", "own"}, bootstrap.NewTokenAuthenticator(lister))
	ctx := context.Background()
	if one.Audiences != nil {
		ctx = authenticator.WithAudiences(ctx, one.Audiences)
	}
	return verdictOf(token.AuthenticateToken(ctx, one.Token))
}

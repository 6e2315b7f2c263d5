package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/timestamppb"
	"gopkg.in/go-jose/go-jose.v2/jwt"
	externaljwt "k8s.io/externaljwt/apis/v1"
	"k8s.io/kubernetes/pkg/serviceaccount/externaljwt/plugin"
)

type signerKey struct {
	ID       string `json:"id"`
	Key      string `json:"key"`
	Excluded bool   `json:"excluded,omitempty"`
}

// signerCase is what a signer answers, and what upstream's plugin makes of it.
type signerCase struct {
	Keys        []signerKey `json:"keys"`
	Seconds     int64       `json:"seconds"`
	Nanos       int32       `json:"nanos,omitempty"`
	NoTime      bool        `json:"noTime,omitempty"`
	RefreshHint int64       `json:"refreshHint"`
	Header      string      `json:"header"`
	Signature   string      `json:"signature"`
	// Code and description of a failed call of FetchKeys or Sign.
	FetchError []any `json:"fetchError,omitempty"`
	SignError  []any `json:"signError,omitempty"`
	// Without one, the token is signed.
	Error string `json:"error,omitempty"`
}

type scriptedSigner struct {
	externaljwt.UnimplementedExternalJWTSignerServer
	script *signerCase
}

func failure(given []any) error {
	if given == nil {
		return nil
	}
	return status.Error(given[0].(codes.Code), given[1].(string))
}

func (s scriptedSigner) FetchKeys(context.Context, *externaljwt.FetchKeysRequest) (*externaljwt.FetchKeysResponse, error) {
	if err := failure(s.script.FetchError); err != nil {
		return nil, err
	}
	answer := &externaljwt.FetchKeysResponse{RefreshHintSeconds: s.script.RefreshHint}
	if !s.script.NoTime {
		answer.DataTimestamp = &timestamppb.Timestamp{Seconds: s.script.Seconds, Nanos: s.script.Nanos}
	}
	for _, key := range s.script.Keys {
		der, err := hex.DecodeString(key.Key)
		check(err)
		answer.Keys = append(answer.Keys, &externaljwt.Key{KeyId: key.ID, Key: der, ExcludeFromOidcDiscovery: key.Excluded})
	}
	return answer, nil
}

func (s scriptedSigner) Sign(context.Context, *externaljwt.SignJWTRequest) (*externaljwt.SignJWTResponse, error) {
	if err := failure(s.script.SignError); err != nil {
		return nil, err
	}
	return &externaljwt.SignJWTResponse{Header: s.script.Header, Signature: s.script.Signature}, nil
}

func publicKey(curve elliptic.Curve) string {
	key := &ecdsa.PrivateKey{D: big.NewInt(7)}
	key.Curve = curve
	key.X, key.Y = curve.ScalarBaseMult(key.D.Bytes())
	der, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	check(err)
	return hex.EncodeToString(der)
}

func signerCases() []signerCase {
	p256 := publicKey(elliptic.P256())
	good := []signerKey{{ID: "a", Key: p256}, {ID: "old", Key: publicKey(elliptic.P384()), Excluded: true}}
	encoded := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	header := encoded(`{"alg":"ES256","kid":"a","typ":"JWT"}`)
	base := signerCase{Keys: good, Seconds: 1700000000, RefreshHint: 60, Header: header, Signature: "c2ln"}
	cases := []signerCase{base}
	add := func(change func(*signerCase)) {
		one := base
		change(&one)
		cases = append(cases, one)
	}
	long := strings.Repeat("k", 1024)
	for _, text := range []string{
		`{"alg":"RS256","kid":"a","typ":"JWT"}`, `{"alg":"ES384","kid":"a","typ":"JWT"}`, `{"alg":"ES512","kid":"a","typ":"JWT"}`,
		`{"alg":"RS512","kid":"a","typ":"JWT"}`, `{"alg":"none","kid":"a","typ":"JWT"}`, `{"alg":"HS256","kid":"a","typ":"JWT"}`,
		`{"kid":"a","typ":"JWT"}`, `{"alg":"ES256","typ":"JWT"}`, `{"alg":"ES256","kid":"","typ":"JWT"}`, `{"alg":"ES256","kid":"a"}`,
		`{"alg":"ES256","kid":"a","typ":"jwt"}`, `{"alg":"ES256","kid":"old","typ":"JWT"}`, `{"alg":"ES256","kid":"unknown","typ":"JWT"}`,
		`{"alg":"ES256","kid":"` + long + `","typ":"JWT"}`, `{"alg":"ES256","kid":"` + long + `k","typ":"JWT"}`,
		`{"alg":"ES256","kid":"a","typ":"JWT","cty":"JWT"}`, `{"alg":"ES256","kid":"a","typ":"JWT","jku":"https://x"}`,
	} {
		add(func(c *signerCase) { c.Header = encoded(text) })
	}
	for _, text := range []string{"", "!", header + "=", header + "\n"} {
		add(func(c *signerCase) { c.Header = text })
	}
	add(func(c *signerCase) { c.Signature = "" })
	add(func(c *signerCase) { c.SignError = []any{codes.Unavailable, "tired"} })
	add(func(c *signerCase) { c.SignError = []any{codes.PermissionDenied, "50% \u00e4"} })
	add(func(c *signerCase) { c.FetchError = []any{codes.Internal, "no keys today"} })
	add(func(c *signerCase) { c.Keys = nil })
	add(func(c *signerCase) { c.RefreshHint = 0 })
	add(func(c *signerCase) { c.RefreshHint = -5 })
	add(func(c *signerCase) { c.NoTime = true })
	add(func(c *signerCase) { c.Seconds = 0 })
	add(func(c *signerCase) { c.Keys = []signerKey{{Key: p256}} })
	add(func(c *signerCase) { c.Keys = []signerKey{{ID: long, Key: p256}} })
	add(func(c *signerCase) { c.Keys = []signerKey{{ID: long + "k", Key: p256}} })
	add(func(c *signerCase) { c.Keys = []signerKey{{ID: "a"}} })
	ed := ed25519.NewKeyFromSeed(make([]byte, 32)).Public()
	der, err := x509.MarshalPKIXPublicKey(ed)
	check(err)
	add(func(c *signerCase) {
		c.Keys = []signerKey{{ID: "a", Key: p256}, {ID: "b", Key: hex.EncodeToString(der)}}
	})
	for i := range cases {
		cases[i].Error = signed(&cases[i])
	}
	return cases
}

func signed(one *signerCase) string {
	folder, err := os.MkdirTemp("", "signer")
	check(err)
	defer os.RemoveAll(folder)
	socket := filepath.Join(folder, "s")
	listener, err := net.Listen("unix", socket)
	check(err)
	server := grpc.NewServer()
	defer server.Stop()
	externaljwt.RegisterExternalJWTSignerServer(server, scriptedSigner{script: one})
	go func() { _ = server.Serve(listener) }()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	signer, _, err := plugin.New(ctx, "https://issuer", socket, 10*time.Second, false)
	if err != nil {
		// protobuf writes a blank or a no-break space, another one in each build.
		return strings.ReplaceAll(err.Error(), "\u00a0", " ")
	}
	if _, err := signer.GenerateToken(ctx, &jwt.Claims{Subject: "system:serviceaccount:a:b"}, map[string]any{}); err != nil {
		return err.Error()
	}
	return ""
}

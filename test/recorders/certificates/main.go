// Makes certificate chains and subjects, right and wrong, and tells what the reference's authenticator says of them.
//
//	go run . chains            every chain of chains.go with the verdict on it
//	go run . subjects SEED N   N random subjects with the verdict on each
//	go run . judge             verdicts on what standard input says
//
// `--keys` adds the keys of leaves, for those that go on with a handshake.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"

	authenticator "k8s.io/apiserver/pkg/authentication/request/x509"
)

type verdict struct {
	Name string `json:"name"`
	// DER in base64, the leaf first.
	Sent  [][]byte `json:"sent"`
	Roots [][]byte `json:"roots"`
	Key   []byte   `json:"key,omitempty"`
	// What is told of the client; neither of both where it is nobody that is known.
	User    *user  `json:"user,omitempty"`
	Refused string `json:"refused,omitempty"`
}

type user struct {
	Name   string   `json:"name"`
	UID    string   `json:"uid"`
	Groups []string `json:"groups"`
}

func main() {
	withKeys := slices.Contains(os.Args, "--keys")
	var verdicts []verdict
	switch os.Args[1] {
	case "chains":
		for _, one := range chains() {
			verdicts = append(verdicts, verdictOn(one, withKeys))
		}
	case "subjects":
		for _, one := range subjects(must(strconv.ParseUint(os.Args[2], 10, 64)), must(strconv.Atoi(os.Args[3]))) {
			verdicts = append(verdicts, verdictOn(one, withKeys))
		}
	case "judge":
		if err := json.NewDecoder(os.Stdin).Decode(&verdicts); err != nil {
			panic(err)
		}
		for index := range verdicts {
			judge(&verdicts[index], nil)
		}
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	fmt.Print("[\n")
	for index, one := range verdicts {
		if index > 0 {
			fmt.Print(",")
		}
		if err := encoder.Encode(one); err != nil {
			panic(err)
		}
	}
	fmt.Println("]")
}

func verdictOn(one chainCase, withKeys bool) verdict {
	result := verdict{Name: one.name}
	for _, certificate := range one.sent {
		result.Sent = append(result.Sent, certificate.der)
	}
	for _, certificate := range one.roots {
		result.Roots = append(result.Roots, certificate.der)
	}
	key := one.sent[0].key
	if withKeys {
		if encoded, err := x509.MarshalPKCS8PrivateKey(key); err == nil {
			result.Key = encoded
		}
	}
	judge(&result, key)
	return result
}

// judge asks the authenticator; with a key only what passes a handshake of crypto/tls, as a client's certificates do.
func judge(one *verdict, key any) {
	roots := x509.NewCertPool()
	for _, der := range one.Roots {
		certificate, err := x509.ParseCertificate(der)
		if err != nil {
			one.Refused = "root: " + err.Error()
			return
		}
		roots.AddCert(certificate)
	}
	peers, err := parse(one.Sent)
	if err == nil && key != nil {
		peers, err = handshake(one.Sent, key)
	}
	if err != nil {
		one.Refused = err.Error()
		return
	}
	options := authenticator.DefaultVerifyOptions()
	options.Roots = roots
	request := &http.Request{TLS: &tls.ConnectionState{PeerCertificates: peers}}
	answer, known, err := authenticator.New(options, authenticator.CommonNameUserConversion).AuthenticateRequest(request)
	if err != nil {
		one.Refused = err.Error()
	} else if known {
		groups := answer.User.GetGroups()
		if groups == nil {
			groups = []string{}
		}
		one.User = &user{answer.User.GetName(), answer.User.GetUID(), groups}
	}
}

func parse(sent [][]byte) ([]*x509.Certificate, error) {
	var peers []*x509.Certificate
	for _, der := range sent {
		certificate, err := x509.ParseCertificate(der)
		if err != nil {
			return nil, err
		}
		peers = append(peers, certificate)
	}
	return peers, nil
}

func handshake(sent [][]byte, key any) ([]*x509.Certificate, error) {
	serving := issue(nil, authority("server"))
	ours, theirs := net.Pipe()
	defer ours.Close()
	defer theirs.Close()
	go func() {
		certificate := &tls.Certificate{Certificate: sent, PrivateKey: key}
		client := tls.Client(theirs, &tls.Config{InsecureSkipVerify: true, GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return certificate, nil }})
		if client.Handshake() != nil {
			theirs.Close()
			return
		}
		_, _ = client.Read(make([]byte, 1))
	}()
	server := tls.Server(ours, &tls.Config{ClientAuth: tls.RequestClientCert, Certificates: []tls.Certificate{{Certificate: [][]byte{serving.der}, PrivateKey: serving.key}}})
	if err := server.Handshake(); err != nil {
		return nil, err
	}
	return server.ConnectionState().PeerCertificates, nil
}

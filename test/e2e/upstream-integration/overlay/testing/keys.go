package testing

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"os"

	"k8s.io/client-go/util/cert"
	"k8s.io/client-go/util/keyutil"
	testutil "k8s.io/kubernetes/test/utils"
)

func writeSigningKey(file string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	text, err := keyutil.MarshalPrivateKeyToPEM(key)
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o600)
}

// writeProxyCertificate makes what the server shows to API servers that are registered with it: a name that they let pass.
func writeProxyCertificate(authority *ProxyCA, certFile, keyFile string) error {
	key, err := testutil.NewPrivateKey()
	if err != nil {
		return err
	}
	certificate, err := testutil.NewSignedCert(&cert.Config{CommonName: "misty", Usages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}, key, authority.ProxySigningCert, authority.ProxySigningKey)
	if err != nil {
		return err
	}
	text, err := keyutil.MarshalPrivateKeyToPEM(key)
	if err != nil {
		return err
	}
	if err := os.WriteFile(keyFile, text, 0o600); err != nil {
		return err
	}
	return os.WriteFile(certFile, testutil.EncodeCertPEM(certificate), 0o600)
}

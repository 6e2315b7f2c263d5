// Records what Go's crypto/x509 says of bytes that are no certificate request:
//
//	cd test/recorders && go run ./certificate-requests > ../../servers/core/apis/certificates/testdata/broken-requests.json
package main

import (
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"os"
)

// Requests in hexadecimal DER, each truncated elsewhere.
var broken = []string{
	"", "3000", "30", "3082", "30820100", "300130", "30023000", "300430020200",
	"3080", "30810100", "3082000100", "30850000000001", "3084ffffffff",
}

func main() {
	messages := map[string]string{}
	for _, text := range broken {
		der, err := hex.DecodeString(text)
		if err != nil {
			panic(err)
		}
		_, err = x509.ParseCertificateRequest(der)
		messages[text] = err.Error()
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(messages); err != nil {
		panic(err)
	}
}

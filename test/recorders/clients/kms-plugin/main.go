// A KMS plugin by the module k8s.io/kms, for test/conformance/kms:
//
//	kms-plugin v1|v2 SOCKET STATE
//
// What it does stands in STATE, a file of JSON that is read at each call, so that it outlives the plugin:
//
//	{"keyId": "1", "encryptKeyId": "1", "healthz": "ok", "version": "v2", "delayMs": 0, "failing": "Decrypt"}
//
// A key id stands for its key: a plugin that is started again, or another one, decrypts what this one encrypted.
package main

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

type state struct {
	KeyID string `json:"keyId"`
	// The id that answers of Encrypt carry. Empty: KeyID.
	EncryptKeyID string `json:"encryptKeyId"`
	Healthz      string `json:"healthz"`
	Version      string `json:"version"`
	DelayMs      int    `json:"delayMs"`
	// A method that fails.
	Failing string `json:"failing"`
}

// A plugin's keys and its file.
type vault struct {
	path string
}

// begin reads the state, waits as long as it says, and fails if it says so.
func (v vault) begin(ctx context.Context, method string) (state, error) {
	var now state
	text, err := os.ReadFile(v.path)
	if err == nil {
		err = json.Unmarshal(text, &now)
	}
	if err != nil {
		return now, status.Errorf(codes.Internal, "state: %v", err)
	}
	if now.EncryptKeyID == "" {
		now.EncryptKeyID = now.KeyID
	}
	select {
	case <-time.After(time.Duration(now.DelayMs) * time.Millisecond):
	case <-ctx.Done():
		return now, ctx.Err()
	}
	if now.Failing == method {
		return now, status.Errorf(codes.FailedPrecondition, "%s is told to fail", method)
	}
	return now, nil
}

func sealerOf(keyID string) cipher.AEAD {
	key := sha256.Sum256([]byte(keyID))
	block, err := aes.NewCipher(key[:])
	if err != nil {
		panic(err)
	}
	sealer, err := cipher.NewGCM(block)
	if err != nil {
		panic(err)
	}
	return sealer
}

func seal(keyID string, plain []byte) []byte {
	sealer := sealerOf(keyID)
	nonce := make([]byte, sealer.NonceSize())
	if _, err := rand.Read(nonce); err != nil {
		panic(err)
	}
	return sealer.Seal(nonce, nonce, plain, nil)
}

func open(keyID string, sealed []byte) ([]byte, error) {
	sealer := sealerOf(keyID)
	if len(sealed) < sealer.NonceSize() {
		return nil, status.Error(codes.InvalidArgument, "too short")
	}
	plain, err := sealer.Open(nil, sealed[:sealer.NonceSize()], sealed[sealer.NonceSize():], nil)
	if err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	return plain, nil
}

func main() {
	version, socket, path := os.Args[1], os.Args[2], os.Args[3]
	// One that was killed leaves its socket.
	_ = os.Remove(socket)
	serve := serveV2
	if version == "v1" {
		serve = serveV1
	}
	fmt.Fprintln(os.Stderr, serve(socket, vault{path}))
	os.Exit(1)
}

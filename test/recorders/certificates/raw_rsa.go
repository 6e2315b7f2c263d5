package main

import (
	"crypto"
	"crypto/rsa"
	"io"
	"math/big"
)

// rawRsa signs with keys that Go's own package refuses (PKCS #1 v1.5, SHA-256).
type rawRsa struct {
	public *rsa.PublicKey
	d      *big.Int
}

func (key *rawRsa) Public() crypto.PublicKey { return key.public }

func (key *rawRsa) Sign(_ io.Reader, digest []byte, _ crypto.SignerOpts) ([]byte, error) {
	size := (key.public.N.BitLen() + 7) / 8
	info := append(unhex("3031300d060960864801650304020105000420"), digest...)
	padded := []byte{0, 1}
	for len(padded) < size-len(info)-1 {
		padded = append(padded, 0xff)
	}
	padded = append(append(padded, 0), info...)
	signature := new(big.Int).Exp(new(big.Int).SetBytes(padded), key.d, key.public.N)
	return signature.FillBytes(make([]byte, size)), nil
}

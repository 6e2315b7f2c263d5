package main

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/md5"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509"
	"encoding/asn1"
	"encoding/hex"
	"time"
)

// Certificates are put together byte by byte: libraries refuse to write what is wrong.

func element(tag byte, parts ...[]byte) []byte {
	var content []byte
	for _, part := range parts {
		content = append(content, part...)
	}
	length := len(content)
	head := []byte{tag}
	switch {
	case length < 0x80:
		head = append(head, byte(length))
	case length < 0x100:
		head = append(head, 0x81, byte(length))
	default:
		head = append(head, 0x82, byte(length>>8), byte(length))
	}
	return append(head, content...)
}

func sequence(parts ...[]byte) []byte { return element(0x30, parts...) }

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func identifier(arcs ...int) []byte { return must(asn1.Marshal(asn1.ObjectIdentifier(arcs))) }

func integer(value int64) []byte { return must(asn1.Marshal(value)) }

func boolean() []byte { return []byte{1, 1, 0xff} }

func bits(content []byte) []byte { return element(3, []byte{0}, content) }

func moment(at time.Time) []byte {
	if at.Year() < 2050 {
		return element(0x17, []byte(at.UTC().Format("060102150405Z")))
	}
	return element(0x18, []byte(at.UTC().Format("20060102150405Z")))
}

type attribute struct {
	arcs  []int
	tag   byte
	value []byte
}

func cn(value string) attribute  { return attribute{[]int{2, 5, 4, 3}, 0x0c, []byte(value)} }
func org(value string) attribute { return attribute{[]int{2, 5, 4, 10}, 0x0c, []byte(value)} }
func uid(value string) attribute {
	return attribute{[]int{1, 3, 6, 1, 4, 1, 57683, 2}, 0x0c, []byte(value)}
}

// rdns: each is one RDN of several attributes.
func name(rdns ...[]attribute) []byte {
	var sets [][]byte
	for _, attributes := range rdns {
		var all [][]byte
		for _, one := range attributes {
			all = append(all, sequence(identifier(one.arcs...), element(one.tag, one.value)))
		}
		sets = append(sets, element(0x31, all...))
	}
	return sequence(sets...)
}

func simpleName(attributes ...attribute) []byte {
	var rdns [][]attribute
	for _, one := range attributes {
		rdns = append(rdns, []attribute{one})
	}
	return name(rdns...)
}

type extension struct {
	arcs     []int
	critical bool
	value    []byte
}

func ce(number int, critical bool, value []byte) extension {
	return extension{[]int{2, 5, 29, number}, critical, value}
}

// basicConstraints: a negative length is none.
func basicConstraints(isAuthority bool, length int64) extension {
	var content [][]byte
	if isAuthority {
		content = append(content, boolean())
	}
	if length >= 0 {
		content = append(content, integer(length))
	}
	return ce(19, true, sequence(content...))
}

// keyUsage by the bits of the first byte: 0x04 signs certificates.
func keyUsage(first byte) extension { return ce(15, true, element(3, []byte{0, first})) }

func usages(oids ...[]byte) extension { return ce(37, false, sequence(oids...)) }

var (
	clientAuth = identifier(1, 3, 6, 1, 5, 5, 7, 3, 2)
	serverAuth = identifier(1, 3, 6, 1, 5, 5, 7, 3, 1)
	anyUsage   = identifier(2, 5, 29, 37, 0)
	otherUsage = identifier(1, 3, 6, 1, 4, 1, 99999, 1)
)

func dns(value string) []byte       { return element(0x82, []byte(value)) }
func mail(value string) []byte      { return element(0x81, []byte(value)) }
func uri(value string) []byte       { return element(0x86, []byte(value)) }
func ip(value ...byte) []byte       { return element(0x87, value) }
func directory(value []byte) []byte { return element(0xa4, value) }

func alternativeNames(names ...[]byte) extension { return ce(17, false, sequence(names...)) }

func nameConstraints(permitted, excluded [][]byte) extension {
	list := func(tag byte, names [][]byte) []byte {
		if names == nil {
			return nil
		}
		var trees [][]byte
		for _, one := range names {
			trees = append(trees, sequence(one))
		}
		return element(tag, trees...)
	}
	return ce(30, true, sequence(list(0xa0, permitted), list(0xa1, excluded)))
}

type pair struct {
	der  []byte
	name []byte
	key  crypto.Signer
}

// how a certificate is signed, by the issuer's key.
type method struct {
	algorithm []byte
	sign      func(key crypto.Signer, content []byte) []byte
}

func ecdsaBy(hash crypto.Hash, last ...int) method {
	return method{sequence(identifier(append([]int{1, 2, 840, 10045, 4}, last...)...)), func(key crypto.Signer, content []byte) []byte {
		return must(key.Sign(rand.Reader, sum(hash, content), hash))
	}}
}

func rsaBy(hash crypto.Hash, last int) method {
	return method{sequence(identifier(1, 2, 840, 113549, 1, 1, last), []byte{5, 0}), func(key crypto.Signer, content []byte) []byte {
		return must(key.Sign(rand.Reader, sum(hash, content), hash))
	}}
}

// pssBy writes the parameters of RSASSA-PSS; `mask` and `salt` are those of the hash where they are right.
func pssBy(hash crypto.Hash, mask, salt int) method {
	id := func(number int) []byte {
		return sequence(identifier(2, 16, 840, 1, 101, 3, 4, 2, number), []byte{5, 0})
	}
	number := map[crypto.Hash]int{crypto.SHA256: 1, crypto.SHA384: 2, crypto.SHA512: 3}[hash]
	parameters := sequence(element(0xa0, id(number)), element(0xa1, sequence(identifier(1, 2, 840, 113549, 1, 1, 8), id(mask))), element(0xa2, integer(int64(salt))))
	return method{sequence(identifier(1, 2, 840, 113549, 1, 1, 10), parameters), func(key crypto.Signer, content []byte) []byte {
		return must(key.Sign(rand.Reader, sum(hash, content), &rsa.PSSOptions{SaltLength: salt, Hash: hash}))
	}}
}

var byEd25519 = method{sequence(identifier(1, 3, 101, 112)), func(key crypto.Signer, content []byte) []byte {
	return must(key.Sign(rand.Reader, content, crypto.Hash(0)))
}}

func sum(hash crypto.Hash, content []byte) []byte {
	switch hash {
	case crypto.MD5:
		result := md5.Sum(content)
		return result[:]
	case crypto.SHA1:
		result := sha1.Sum(content)
		return result[:]
	case crypto.SHA384:
		result := sha512.Sum384(content)
		return result[:]
	case crypto.SHA512:
		result := sha512.Sum512(content)
		return result[:]
	default:
		result := sha256.Sum256(content)
		return result[:]
	}
}

type spec struct {
	version    int
	serial     []byte
	subject    []byte
	issuer     []byte
	from, to   time.Time
	validity   []byte
	extensions []extension
	by         *method
	key        crypto.Signer
	info       []byte
	broken     bool
}

var (
	longAgo = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	farOff  = time.Date(2120, 1, 1, 0, 0, 0, 0, time.UTC)
	serials = int64(1000)
)

func newKey() crypto.Signer { return must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader)) }

// issue signs with the parent's key; without a parent with its own.
func issue(parent *pair, s spec) *pair {
	if s.version == 0 {
		s.version = 3
	}
	if s.key == nil {
		s.key = newKey()
	}
	if s.from.IsZero() {
		s.from = longAgo
	}
	if s.to.IsZero() {
		s.to = farOff
	}
	signer := s.key
	if parent != nil {
		signer = parent.key
		if s.issuer == nil {
			s.issuer = parent.name
		}
	} else if s.issuer == nil {
		s.issuer = s.subject
	}
	by := s.by
	if by == nil {
		by = usual(signer)
	}
	if s.serial == nil {
		serials++
		s.serial = integer(serials)
	}
	if s.validity == nil {
		s.validity = sequence(moment(s.from), moment(s.to))
	}
	if s.info == nil {
		s.info = must(x509.MarshalPKIXPublicKey(s.key.Public()))
	}
	var parts [][]byte
	if s.version > 1 {
		parts = append(parts, element(0xa0, integer(int64(s.version-1))))
	}
	parts = append(parts, s.serial, by.algorithm, s.issuer, s.validity, s.subject, s.info)
	if len(s.extensions) > 0 {
		var all [][]byte
		for _, one := range s.extensions {
			content := [][]byte{identifier(one.arcs...)}
			if one.critical {
				content = append(content, boolean())
			}
			all = append(all, sequence(append(content, element(4, one.value))...))
		}
		parts = append(parts, element(0xa3, sequence(all...)))
	}
	signed := sequence(parts...)
	signature := by.sign(signer, signed)
	if s.broken {
		signature[len(signature)-1] ^= 1
	}
	return &pair{sequence(signed, by.algorithm, bits(signature)), s.subject, s.key}
}

func usual(key crypto.Signer) *method {
	var found method
	switch key := key.(type) {
	case *rsa.PrivateKey, *rawRsa:
		found = rsaBy(crypto.SHA256, 11)
	case ed25519.PrivateKey:
		found = byEd25519
	case *ecdsa.PrivateKey:
		switch key.Curve {
		case elliptic.P384():
			found = ecdsaBy(crypto.SHA384, 3, 3)
		case elliptic.P521():
			found = ecdsaBy(crypto.SHA512, 3, 4)
		default:
			found = ecdsaBy(crypto.SHA256, 3, 2)
		}
	}
	return &found
}

func unhex(text string) []byte { return must(hex.DecodeString(text)) }

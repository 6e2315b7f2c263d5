package main

import (
	"bytes"
	"context"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"
	"k8s.io/apiserver/pkg/storage/value"
	"k8s.io/apiserver/pkg/storage/value/encrypt/envelope/kmsv2"
	kmstypes "k8s.io/apiserver/pkg/storage/value/encrypt/envelope/kmsv2/v2"
	"k8s.io/kms/pkg/service"
)

// valueCase is a stored value, and what is read of it where the plugin decrypts its data key to Secret.
type valueCase struct {
	Name   string `json:"name"`
	Stored []byte `json:"stored"`
	Key    string `json:"key"`
	Secret []byte `json:"secret"`
	Plain  []byte `json:"plain,omitempty"`
	Stale  bool   `json:"stale,omitempty"`
	Error  string `json:"error,omitempty"`
}

// plugin encrypts by reversing, under the key id "1", and tells what it decrypted last.
type plugin struct {
	annotations map[string][]byte
	secret      []byte
	answer      []byte
}

func reversed(in []byte) []byte {
	out := bytes.Clone(in)
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

func (p *plugin) Encrypt(_ context.Context, _ string, plain []byte) (*service.EncryptResponse, error) {
	p.secret = bytes.Clone(plain)
	return &service.EncryptResponse{Ciphertext: reversed(plain), KeyID: "1", Annotations: p.annotations}, nil
}

func (p *plugin) Decrypt(context.Context, string, *service.DecryptRequest) ([]byte, error) {
	return p.answer, nil
}

func (p *plugin) Status(context.Context) (*service.StatusResponse, error) {
	return &service.StatusResponse{Version: "v2", Healthz: "ok", KeyID: "1"}, nil
}

// encrypted is a value as upstream stores it, with its data key.
func encrypted(useSeed bool, annotations map[string][]byte, key string, plain []byte) (*kmstypes.EncryptedObject, []byte) {
	ctx := context.Background()
	kms := &plugin{annotations: annotations}
	transformer, object, cacheKey, err := kmsv2.GenerateTransformer(ctx, "uid", kms, useSeed)
	check(err)
	state := kmsv2.State{
		Transformer: transformer, EncryptedObjectKeyID: object.KeyID, EncryptedObjectEncryptedDEKSource: object.EncryptedDEKSource,
		EncryptedObjectAnnotations: object.Annotations, EncryptedObjectEncryptedDEKSourceType: object.EncryptedDEKSourceType,
		ExpirationTimestamp: time.Now().Add(time.Hour), CacheKey: cacheKey,
	}
	envelope := kmsv2.NewEnvelopeTransformer(kms, "kms", func() (kmsv2.State, error) { return state, nil }, "server")
	stored, err := envelope.TransformToStorage(ctx, plain, value.DefaultContext(key))
	check(err)
	out := &kmstypes.EncryptedObject{}
	check(proto.Unmarshal(stored, out))
	return out, kms.secret
}

// read is what upstream reads where it writes by a seed under the key id "1".
func read(name, key string, stored, secret []byte) valueCase {
	state := kmsv2.State{EncryptedObjectKeyID: "1", EncryptedObjectEncryptedDEKSourceType: kmstypes.EncryptedDEKSourceType_HKDF_SHA256_XNONCE_AES_GCM_SEED}
	envelope := kmsv2.NewEnvelopeTransformer(&plugin{answer: secret}, "kms", func() (kmsv2.State, error) { return state, nil }, "server")
	out := valueCase{Name: name, Stored: stored, Key: key, Secret: secret}
	plain, stale, err := envelope.TransformFromStorage(context.Background(), stored, value.DefaultContext(key))
	if err != nil {
		out.Error = err.Error()
	} else {
		out.Plain, out.Stale = plain, stale
	}
	return out
}

func values() []valueCase {
	const key = "/registry/secrets/default/a"
	plain := []byte("k8s\x00 a value")
	seeded, seed := encrypted(true, map[string][]byte{"b.example.com": []byte("2"), "a.example.com": []byte("1")}, key, plain)
	keyed, dek := encrypted(false, nil, key, plain)
	var out []valueCase
	add := func(name string, object *kmstypes.EncryptedObject, secret []byte, change func(*kmstypes.EncryptedObject)) {
		changed := proto.Clone(object).(*kmstypes.EncryptedObject)
		change(changed)
		stored, err := proto.MarshalOptions{Deterministic: true}.Marshal(changed)
		check(err)
		out = append(out, read(name, key, stored, secret))
	}
	as := func(*kmstypes.EncryptedObject) {}
	add("by a seed", seeded, seed, as)
	add("by a key", keyed, dek, as)
	add("of another key id", seeded, seed, func(o *kmstypes.EncryptedObject) { o.KeyID = "0" })
	add("by a seed of one byte more", seeded, append(bytes.Clone(seed), 1), as)
	add("by a seed that is too short", seeded, seed[:31], as)
	add("by another seed", seeded, bytes.Repeat([]byte{1}, 32), as)
	add("by a key of a length that AES has not", keyed, dek[:31], as)
	add("by a key of another length", keyed, dek[:16], as)
	add("changed in its first byte", seeded, seed, func(o *kmstypes.EncryptedObject) { o.EncryptedData[0] ^= 1 })
	add("changed in its last byte", seeded, seed, func(o *kmstypes.EncryptedObject) { o.EncryptedData[len(o.EncryptedData)-1] ^= 1 })
	for _, size := range []int{1, 31, 32, 43, 44, 59, 60} {
		add("cut off", seeded, seed, func(o *kmstypes.EncryptedObject) { o.EncryptedData = o.EncryptedData[:size] })
	}
	for _, size := range []int{11, 12, 27, 28} {
		add("cut off", keyed, dek, func(o *kmstypes.EncryptedObject) { o.EncryptedData = o.EncryptedData[:size] })
	}
	add("without data", seeded, seed, func(o *kmstypes.EncryptedObject) { o.EncryptedData = nil })
	add("without a key id", seeded, seed, func(o *kmstypes.EncryptedObject) { o.KeyID = "" })
	add("with the longest key id", seeded, seed, func(o *kmstypes.EncryptedObject) { o.KeyID = strings.Repeat("é", 512) })
	add("with a key id that is too long", seeded, seed, func(o *kmstypes.EncryptedObject) { o.KeyID = strings.Repeat("é", 513) })
	add("without a source", seeded, seed, func(o *kmstypes.EncryptedObject) { o.EncryptedDEKSource = nil })
	add("with the longest source", seeded, seed, func(o *kmstypes.EncryptedObject) { o.EncryptedDEKSource = make([]byte, 1024) })
	add("with a source that is too long", seeded, seed, func(o *kmstypes.EncryptedObject) { o.EncryptedDEKSource = make([]byte, 1025) })
	add("of an unknown type", seeded, seed, func(o *kmstypes.EncryptedObject) { o.EncryptedDEKSourceType = 7 })
	for _, name := range []string{"", "a", "a.b", "a.b.", "A.b", "a_b.c", "-a.b", "a..b", strings.Repeat("a", 64) + ".b"} {
		add("with an annotation", seeded, seed, func(o *kmstypes.EncryptedObject) { o.Annotations = map[string][]byte{name: nil} })
	}
	add("with annotations that are too large", seeded, seed, func(o *kmstypes.EncryptedObject) {
		o.Annotations = map[string][]byte{"a.b": make([]byte, 32*1024)}
	})
	stored, err := proto.MarshalOptions{Deterministic: true}.Marshal(seeded)
	check(err)
	out = append(out, read("at another key", "/registry/secrets/default/b", stored, seed), read("empty", key, nil, seed))
	return out
}

// Records what the reference says of EncryptionConfigurations: of each file of files.json the error, and of valid ones
// that encrypt configmaps a value that they wrote, and what they make of values that others wrote.
//
//	cd test/recorders && go run ./encryption < ../../shared/encryption/configuration/testdata/files.json \
//	    > ../../shared/encryption/configuration/testdata/gen/recorded.json
package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/server/options/encryptionconfig"
	"k8s.io/apiserver/pkg/storage/value"
)

type file struct {
	Name   string `json:"name"`
	Reload bool   `json:"reload,omitempty"`
	Text   string `json:"text"`
}

type reading struct {
	By    string `json:"by"`
	Plain string `json:"plain,omitempty"`
	Stale bool   `json:"stale,omitempty"`
	Error string `json:"error,omitempty"`
}

type recorded struct {
	Name  string `json:"name"`
	Error string `json:"error,omitempty"`
	// In base64: what was written of the plain text at the key.
	Stored   string    `json:"stored,omitempty"`
	Readings []reading `json:"readings,omitempty"`
}

var key = value.DefaultContext("/registry/configmaps/default/a")

const plain = "k8s\x00plain text of an object"

var configMaps = schema.GroupResource{Resource: "configmaps"}

func main() {
	var files []file
	check(json.NewDecoder(os.Stdin).Decode(&files))
	transformers := map[string]value.Transformer{}
	made := []recorded{}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	folder, err := os.MkdirTemp("", "encryption")
	check(err)
	defer os.RemoveAll(folder)
	for _, one := range files {
		path := filepath.Join(folder, "file.yaml")
		check(os.WriteFile(path, []byte(one.Text), 0o600))
		loaded, err := encryptionconfig.LoadEncryptionConfig(ctx, path, one.Reload, "id")
		if err != nil {
			made = append(made, recorded{Name: one.Name, Error: strings.ReplaceAll(err.Error(), path, "FILE")})
			continue
		}
		transformer := encryptionconfig.StaticTransformers(loaded.Transformers).TransformerForResource(configMaps)
		entry := recorded{Name: one.Name}
		if stored, err := transformer.TransformToStorage(ctx, []byte(plain), key); err == nil {
			entry.Stored = base64.StdEncoding.EncodeToString(stored)
			transformers[one.Name] = transformer
		}
		made = append(made, entry)
	}
	for at := range made {
		for _, one := range files {
			if made[at].Stored == "" || transformers[one.Name] == nil {
				continue
			}
			made[at].Readings = append(made[at].Readings, read(ctx, transformers[one.Name], one.Name, made[at].Stored))
		}
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", " ")
	check(encoder.Encode(made))
}

func read(ctx context.Context, transformer value.Transformer, by string, stored string) reading {
	bytes, err := base64.StdEncoding.DecodeString(stored)
	check(err)
	revealed, stale, err := transformer.TransformFromStorage(ctx, bytes, key)
	if err != nil {
		return reading{By: by, Error: err.Error()}
	}
	if string(revealed) != plain {
		return reading{By: by, Error: fmt.Sprintf("other text: %q", revealed)}
	}
	return reading{By: by, Plain: string(revealed), Stale: stale}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// Records what upstream's KMS v2 envelope reads from stored values, and what its health check says of plugins.
//
//	cd test/recorders && go run ./kms ../../shared/encryption/kms/v2/testdata
package main

import (
	"bytes"
	"encoding/json"
	"log"
	"os"
	"path/filepath"
)

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// write prints a case a line.
func write[T any](path string, cases []T) {
	var out bytes.Buffer
	for i, one := range cases {
		out.WriteString(map[bool]string{true: "[\n", false: ",\n"}[i == 0])
		var line bytes.Buffer
		encoder := json.NewEncoder(&line)
		encoder.SetEscapeHTML(false)
		check(encoder.Encode(one))
		out.Write(bytes.TrimSpace(line.Bytes()))
	}
	out.WriteString("\n]\n")
	check(os.MkdirAll(filepath.Dir(path), 0o755))
	check(os.WriteFile(path, out.Bytes(), 0o644))
}

func main() {
	folder := os.Args[1]
	write(filepath.Join(folder, "values.json"), values())
	write(filepath.Join(folder, "statuses.json"), statuses())
}

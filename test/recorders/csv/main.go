// Prints what encoding/csv reads in the texts of texts.json:
//
//	cd test/recorders && go run ./csv < csv/texts.json > ../../shared/authentication/testdata/csv/gen/records.json
package main

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"os"
	"strings"
)

type told struct {
	Text    string     `json:"text"`
	Records [][]string `json:"records,omitempty"`
	Error   string     `json:"error,omitempty"`
}

func main() {
	var texts []string
	if err := json.NewDecoder(os.Stdin).Decode(&texts); err != nil {
		panic(err)
	}
	all := make([]told, 0, len(texts))
	for _, text := range texts {
		all = append(all, read(text))
	}
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	out.SetIndent("", " ")
	if err := out.Encode(all); err != nil {
		panic(err)
	}
}

func read(text string) told {
	reader := csv.NewReader(strings.NewReader(text))
	reader.FieldsPerRecord = -1
	result := told{Text: text}
	for {
		record, err := reader.Read()
		if err == io.EOF {
			return result
		}
		if err != nil {
			return told{Text: text, Error: err.Error()}
		}
		result.Records = append(result.Records, record)
	}
}

// Records what encoding/json decodes from texts that are nearly right: names in another case, repeated names, values of
// another type, values that a method UnmarshalJSON reads.
//
//	cd test/recorders && go run ./encoding-json > ../../shared/serializer/json/testdata/encoding-json.json
package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"regexp"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Inner is a struct within another.
type Inner struct {
	Name   string `json:"name"`
	Count  int32  `json:"count"`
	Untold *int64 `json:",omitzero"`
}

// Outer has a field of every kind that annotations use.
type Outer struct {
	Kind     string             `json:"kind"`
	IsSet    bool               `json:"isSet"`
	Big      *int64             `json:"big,omitzero"`
	Labels   map[string]string  `json:"labels,omitzero"`
	Texts    []string           `json:"texts,omitzero"`
	Items    []Inner            `json:"items,omitzero"`
	Inner    Inner              `json:"inner"`
	Optional *Inner             `json:"optional,omitzero"`
	Amount   resource.Quantity  `json:"amount"`
	Limit    *resource.Quantity `json:"limit,omitzero"`
	When     metav1.Time        `json:"when"`
}

type recorded struct {
	Text  string          `json:"text"`
	Value json.RawMessage `json:"value,omitempty"`
	Error string          `json:"error,omitempty"`
}

var values = []string{
	`null`, `true`, `false`, `5`, `-7`, `1.5`, `1e2`, `2147483648`, `9223372036854775808`, `""`, `"x"`, `"5"`, `" 5 "`, `"1x"`,
	`"\u0035"`, `"2020-01-02T03:04:05Z"`, `"2020-01-02"`, `[]`, `["a"]`, `[5]`, `[null]`, `[{}]`, `[{"name":"n"},{"COUNT":3}]`, `{}`,
	`{"a":"b"}`, `{"a":5}`, `{"a":null}`, `{"name":"n","count":2}`, `{"Name":"n","UNTOLD":9}`, `{"name":5,"count":"x"}`, `{"count":1.5}`,
}

var names = []string{
	"kind", "KIND", "Kind", "\u212aind", "isSet", "isset", "i\u017fSet", "big", "labels", "texts", "Texts", "items", "ITEMS",
	"inner", "optional", "Optional", "amount", "AMOUNT", "limit", "when", "other",
}

var broken = []string{
	``, ` `, `{`, `{"kind"`, `{"kind":`, `{"kind":"a"`, `{"kind":"a",}`, `{"kind":"a"}}`, `junk`, `nul`, `{'kind':1}`, `[1,]`, `{"kind":"` + "\x01" + `"}`,
	`{"a":01}`, `{"a":1.}`, `"\x"`, `"\ud800"`, `null`, `5`, `"x"`, `[]`, `[{}]`, `true`, "\ufeff{}", `{"kind":"\ud800 \u00e9"}`,
}

func decode(text string) recorded {
	made := recorded{Text: text}
	var value Outer
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		// The types of this program stand for those of others.
		made.Error = regexp.MustCompile(`main\.`).ReplaceAllString(err.Error(), "v1.")
		return made
	}
	printed, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	made.Value = printed
	return made
}

func main() {
	random := rand.New(rand.NewSource(1))
	any := func(of []string) string { return of[random.Intn(len(of))] }
	texts := append([]string{}, broken...)
	for _, name := range names {
		for _, value := range values {
			texts = append(texts, fmt.Sprintf(`{"%s":%s}`, name, value))
		}
	}
	for i := 0; i < 300; i++ {
		text := ""
		for n := 2 + random.Intn(3); n > 0; n-- {
			text += fmt.Sprintf(` "%s" : %s ,`, any(names), any(values))
		}
		texts = append(texts, "{"+text[:len(text)-1]+"}")
	}
	all := make([]recorded, 0, len(texts))
	for _, text := range texts {
		all = append(all, decode(text))
	}
	fmt.Println("[")
	for i, one := range all {
		line, err := json.Marshal(one)
		if err != nil {
			panic(err)
		}
		comma := ","
		if i == len(all)-1 {
			comma = ""
		}
		fmt.Fprintf(os.Stdout, "%s%s\n", line, comma)
	}
	fmt.Println("]")
}

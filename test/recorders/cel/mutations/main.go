// Records what cel-go's parser says of conformance expressions with random edits, in Kubernetes' environment.
//
//	cd test/recorders && go run ./cel/mutations "$(go list -m -f '{{.Dir}}' cel.dev/expr)/tests/simple/testdata" SEED \
//		> ../../shared/cel/testdata/gen/mutations.json
package main

import (
	"encoding/json"
	"math/rand"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	_ "cel.dev/expr/conformance/proto2"
	_ "cel.dev/expr/conformance/proto3"
	conformancepb "cel.dev/expr/conformance/test"
	"google.golang.org/protobuf/encoding/prototext"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
)

var inserted = []string{".", ",", "(", ")", "[", "]", "{", "}", "?", ":", "'", "\"", "`", "!", "-", "&&", "||", "=", "==", "<", ">", "$", "#", "\\", " ", "\n", "in", "true", "null", "a", "1", "1u", "1.5", "é", "😀", "+", "*", "for", "&", "|"}

func main() {
	seed, err := strconv.ParseInt(os.Args[2], 10, 64)
	if err != nil {
		panic(err)
	}
	texts := expressions(os.Args[1])
	env := environment.MustBaseEnvSet(version.MajorMinor(1, 36)).StoredExpressionsEnv()
	random := rand.New(rand.NewSource(seed))
	recorded := struct {
		Expecting []string `json:"expecting"`
		Texts     [][2]any `json:"texts"`
	}{}
	numbers := map[string]int{}
	seen := map[string]bool{}
	for i := 0; i < 6000; i++ {
		text := mutate(random, []rune(texts[random.Intn(len(texts))]))
		if seen[text] {
			continue
		}
		seen[text] = true
		_, issues := env.Parse(text)
		told := [][]any{}
		if issues != nil && issues.Err() != nil {
			for _, e := range issues.Errors() {
				what, expecting, found := strings.Cut(e.Message, " expecting ")
				issue := []any{e.Location.Line(), e.Location.Column(), what}
				if found {
					if _, known := numbers[expecting]; !known {
						numbers[expecting] = len(recorded.Expecting)
						recorded.Expecting = append(recorded.Expecting, expecting)
					}
					issue = append(issue, numbers[expecting])
				}
				told = append(told, issue)
			}
		}
		recorded.Texts = append(recorded.Texts, [2]any{text, told})
	}
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	out.Encode(recorded)
}

func expressions(folder string) []string {
	files, _ := filepath.Glob(folder + "/*.textproto")
	sort.Strings(files)
	var texts []string
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			panic(err)
		}
		var file conformancepb.SimpleTestFile
		if err := prototext.Unmarshal(data, &file); err != nil {
			panic(err)
		}
		for _, section := range file.Section {
			for _, test := range section.Test {
				if len(test.Expr) < 120 {
					texts = append(texts, test.Expr)
				}
			}
		}
	}
	return texts
}

func mutate(random *rand.Rand, text []rune) string {
	for edits := 1 + random.Intn(2); edits > 0 && len(text) > 0; edits-- {
		at := random.Intn(len(text) + 1)
		switch random.Intn(4) {
		case 0:
			if at < len(text) {
				text = append(append([]rune{}, text[:at]...), text[at+1:]...)
			}
		case 1, 2:
			text = append(append(append([]rune{}, text[:at]...), []rune(inserted[random.Intn(len(inserted))])...), text[at:]...)
		case 3:
			text = text[:at]
		}
	}
	return string(text)
}

//go:build recorded

// Evaluates the expressions that stand in a JSON list on the standard input, in Kubernetes' environment for stored
// expressions and with the JSON patch library: `text, type or issues, value or error, cost`, a line each.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	"github.com/google/cel-go/cel"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
)

func main() {
	var texts []string
	if err := json.NewDecoder(os.Stdin).Decode(&texts); err != nil {
		panic(err)
	}
	env, err := environment.MustBaseEnvSet(version.MajorMinor(1, 36)).StoredExpressionsEnv().Extend(library.JSONPatch())
	if err != nil {
		panic(err)
	}
	os.Stdout.WriteString("[\n")
	for i, text := range texts {
		line := []any{text}
		ast, issues := env.Compile(text)
		if issues.Err() != nil {
			line = append(line, map[string]any{"issues": issues.String()})
		} else if program, err := programOf(env, ast); err != nil {
			line = append(line, map[string]any{"program": err.Error()})
		} else {
			value, details, err := program.Eval(map[string]any{})
			outcome := map[string]any{"type": cel.FormatCELType(ast.OutputType())}
			if err != nil {
				outcome["error"] = err.Error()
			} else {
				outcome["value"] = cel.RecordedValue(value)
			}
			if cost := details.ActualCost(); cost != nil {
				outcome["cost"] = strconv.FormatUint(*cost, 10)
			}
			line = append(line, outcome)
		}
		encoded, err := json.Marshal(line)
		if err != nil {
			panic(err)
		}
		os.Stdout.Write(encoded)
		if i < len(texts)-1 {
			os.Stdout.WriteString(",")
		}
		os.Stdout.WriteString("\n")
	}
	os.Stdout.WriteString("]\n")
}

// programOf takes it for an error where cel-go panics: a map of constants with a key that Go's maps cannot have.
func programOf(env *cel.Env, ast *cel.Ast) (program cel.Program, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("internal error: %v", r)
		}
	}()
	return env.Program(ast)
}

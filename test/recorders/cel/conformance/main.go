// Records what cel-go answers for the conformance expressions of cel-spec in Kubernetes' environment: a line of JSON for each.
//
//	cd test/recorders && go run ./cel/conformance "$(go list -m -f '{{.Dir}}' cel.dev/expr)/tests/simple/testdata" \
//		> ../../shared/cel/testdata/gen/conformance.jsonl
package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	exprpb "cel.dev/expr"
	_ "cel.dev/expr/conformance/proto2"
	_ "cel.dev/expr/conformance/proto3"
	conformancepb "cel.dev/expr/conformance/test"
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
)

type issue struct {
	Line    int    `json:"l"`
	Column  int    `json:"c"`
	Message string `json:"m"`
}

type record struct {
	File      string                     `json:"f"`
	Expr      string                     `json:"e"`
	Container string                     `json:"n,omitempty"`
	Unchecked bool                       `json:"u,omitempty"`
	Variables [][2]string                `json:"v,omitempty"`
	Functions []function                 `json:"fn,omitempty"`
	Bindings  map[string]json.RawMessage `json:"b,omitempty"`
	Type      string                     `json:"t,omitempty"`
	Result    json.RawMessage            `json:"r,omitempty"`
	Error     string                     `json:"x,omitempty"`
	Program   string                     `json:"p,omitempty"`
	Cost      *uint64                    `json:"$,omitempty"`
	Issues    []issue                    `json:"i,omitempty"`
	Env       string                     `json:"env,omitempty"`
	// What other runs answer, in the order of their texts: what depends on the order in which Go walks a map.
	Others []outcome `json:"o,omitempty"`
}

// function is one overload that a test declares, without an implementation.
type function struct {
	Name       string   `json:"name"`
	ID         string   `json:"id"`
	Member     bool     `json:"member,omitempty"`
	Parameters []string `json:"parameters"`
	Result     string   `json:"result"`
}

type outcome struct {
	Result json.RawMessage `json:"r,omitempty"`
	Error  string          `json:"x,omitempty"`
	Cost   *uint64         `json:"$,omitempty"`
}

func compact(message proto.Message) json.RawMessage {
	text, err := protojson.Marshal(message)
	if err != nil {
		return nil
	}
	var out bytes.Buffer
	if err := json.Compact(&out, text); err != nil {
		panic(err)
	}
	return out.Bytes()
}

func main() {
	base := environment.MustBaseEnvSet(version.MajorMinor(1, 36)).StoredExpressionsEnv()
	files, _ := filepath.Glob(os.Args[1] + "/*.textproto")
	sort.Strings(files)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
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
				out.Encode(run(base, file.Name, test))
			}
		}
	}
}

func run(base *cel.Env, file string, test *conformancepb.SimpleTest) record {
	r := record{File: file, Expr: test.Expr, Container: test.Container, Unchecked: test.DisableCheck}
	options := []cel.EnvOption{}
	if test.Container != "" {
		options = append(options, cel.Container(test.Container))
	}
	for _, declared := range test.TypeEnv {
		if ident := declared.GetIdent(); ident != nil {
			if t, err := types.ProtoAsType(ident.GetType()); err == nil {
				r.Variables = append(r.Variables, [2]string{declared.Name, t.String()})
			}
		} else {
			r.Functions = append(r.Functions, functionsOf(declared)...)
		}
		option, err := cel.ProtoAsDeclaration(declared)
		if err != nil {
			r.Env = err.Error()
			return r
		}
		options = append(options, option)
	}
	env, err := base.Extend(options...)
	if err != nil {
		r.Env = err.Error()
		return r
	}
	var ast *cel.Ast
	var issues *cel.Issues
	if test.DisableCheck {
		ast, issues = env.Parse(test.Expr)
	} else {
		ast, issues = env.Compile(test.Expr)
	}
	if issues != nil && issues.Err() != nil {
		for _, e := range issues.Errors() {
			r.Issues = append(r.Issues, issue{e.Location.Line(), e.Location.Column(), e.Message})
		}
		return r
	}
	r.Type = ast.OutputType().String()
	program, err := env.Program(ast)
	if err != nil {
		r.Program = err.Error()
		return r
	}
	variables := map[string]any{}
	for name, value := range test.Bindings {
		if v := value.GetValue(); v != nil {
			if converted, err := cel.ProtoAsValue(types.DefaultTypeAdapter, v); err == nil {
				variables[name] = converted
				if r.Bindings == nil {
					r.Bindings = map[string]json.RawMessage{}
				}
				r.Bindings[name] = compact(v)
				if types.IsError(converted) {
					r.Bindings[name], _ = json.Marshal(map[string]string{"error": plain(converted.(*types.Err))})
				}
			}
		}
	}
	outcomes := map[string]outcome{}
	for range runs {
		one := evaluate(program, variables)
		text, _ := json.Marshal(one)
		outcomes[string(text)] = one
	}
	for i, text := range slices.Sorted(maps.Keys(outcomes)) {
		if one := outcomes[text]; i == 0 {
			r.Result, r.Error, r.Cost = one.Result, one.Error, one.Cost
		} else {
			r.Others = append(r.Others, one)
		}
	}
	return r
}

// runs are so many that each order of a map of three entries is among them.
const runs = 100

func evaluate(program cel.Program, variables map[string]any) outcome {
	value, details, err := program.Eval(variables)
	var o outcome
	if details != nil {
		o.Cost = details.ActualCost()
	}
	if err != nil {
		o.Error = plain(err)
		return o
	}
	var converted *exprpb.Value
	if converted, err = cel.ValueAsProto(value); err != nil {
		o.Result, _ = json.Marshal(map[string]string{"go": err.Error()})
	} else {
		o.Result = compact(converted)
	}
	return o
}

// plain is what an error says. The printer of messages puts spaces behind colons by chance, so that nobody relies on them.
func plain(err error) string {
	text, message, found := strings.Cut(err.Error(), "(*proto")
	if !found {
		return text
	}
	return text + "(*proto" + strings.ReplaceAll(message, ": ", ":")
}

func functionsOf(declared *exprpb.Decl) []function {
	var all []function
	text := func(t *exprpb.Type) string {
		converted, err := types.ProtoAsType(t)
		if err != nil {
			panic(err)
		}
		return converted.String()
	}
	for _, overload := range declared.GetFunction().GetOverloads() {
		one := function{Name: declared.Name, ID: overload.OverloadId, Member: overload.IsInstanceFunction, Parameters: []string{}, Result: text(overload.ResultType)}
		for _, parameter := range overload.Params {
			one.Parameters = append(one.Parameters, text(parameter))
		}
		all = append(all, one)
	}
	return all
}

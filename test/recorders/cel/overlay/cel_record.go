// This file is added to a copy of cel-go's package cel (record.sh): compiling, estimating and evaluating also write down
// what went in and what came out, one JSON object a line, into the file that $CEL_RECORD names.
package cel

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

var recorder struct {
	sync.Mutex
	seen      map[string]bool
	decisions []any
}

// Record writes one line; the same line is written once.
func Record(line map[string]any) {
	name := os.Getenv("CEL_RECORD")
	if name == "" {
		return
	}
	recorder.Lock()
	defer recorder.Unlock()
	if _, has := line["test"]; !has {
		line["test"] = testName()
	}
	text, err := json.Marshal(line)
	if err != nil {
		panic(err)
	}
	if recorder.seen == nil {
		recorder.seen = map[string]bool{}
	}
	if recorder.seen[string(text)] {
		return
	}
	recorder.seen[string(text)] = true
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	if _, err := file.Write(append(text, '\n')); err != nil {
		panic(err)
	}
}

// RecordDecision keeps what an authorizer was asked and said until the evaluation that asked is written.
func RecordDecision(decision map[string]any) {
	recorder.Lock()
	defer recorder.Unlock()
	recorder.decisions = append(recorder.decisions, decision)
}

func takeDecisions() []any {
	recorder.Lock()
	defer recorder.Unlock()
	taken := recorder.decisions
	recorder.decisions = nil
	return taken
}

func testName() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		frame, more := frames.Next()
		if strings.HasSuffix(frame.File, "_test.go") {
			parts := strings.Split(frame.Function, "/")
			name := parts[len(parts)-1]
			return strings.SplitN(name[strings.Index(name, ".")+1:], ".", 2)[0]
		}
		if !more {
			return ""
		}
	}
}

func (e *Env) recordedEnvironment() map[string]any {
	variables := map[string]string{}
	for _, v := range e.Variables() {
		if !strings.HasPrefix(v.Name(), "@") && v.Type().Kind() != types.TypeKind {
			variables[v.Name()] = FormatCELType(v.Type())
		}
	}
	libraries := e.Libraries()
	sort.Strings(libraries)
	versions := []string{}
	for _, name := range []string{"strings.quote", "join", "reverse", "flatten", "sort", "cel.@block", "optional.none", "first"} {
		if e.HasFunction(name) {
			versions = append(versions, name)
		}
	}
	validators := []string{}
	for _, v := range e.Validators() {
		validators = append(validators, v.Name())
	}
	return map[string]any{"libraries": libraries, "variables": variables, "marks": versions, "validators": validators}
}

// CompileSource is cel-go's, and writes down text and outcome.
func (e *Env) CompileSource(src Source) (*Ast, *Issues) {
	ast, issues := e.compileSource(src)
	line := map[string]any{"kind": "compile", "text": src.Content(), "environment": e.recordedEnvironment()}
	if issues.Err() != nil {
		list := []any{}
		for _, each := range issues.Errors() {
			list = append(list, []any{each.Location.Line(), each.Location.Column(), each.Message})
		}
		line["issues"] = list
		line["error"] = issues.String()
	} else {
		line["type"] = FormatCELType(ast.OutputType())
	}
	Record(line)
	return ast, issues
}

type recordingEstimator struct {
	checker.CostEstimator
	sizes map[string]any
}

func (r *recordingEstimator) EstimateSize(element checker.AstNode) *checker.SizeEstimate {
	size := r.CostEstimator.EstimateSize(element)
	if size != nil {
		r.sizes[strings.Join(element.Path(), "/")+" "+FormatCELType(element.Type())] = []string{number(size.Min), number(size.Max)}
	}
	return size
}

func number(n uint64) string { return strconv.FormatUint(n, 10) }

// EstimateCost is cel-go's, and writes down the estimate with the sizes that the estimator told.
func (e *Env) EstimateCost(ast *Ast, estimator checker.CostEstimator, opts ...checker.CostOption) (checker.CostEstimate, error) {
	line := map[string]any{"kind": "estimate", "text": ast.Source().Content(), "environment": e.recordedEnvironment()}
	var cost checker.CostEstimate
	var err error
	if estimator == nil {
		cost, err = e.estimateCost(ast, estimator, opts...)
	} else {
		wrapped := &recordingEstimator{CostEstimator: estimator, sizes: map[string]any{}}
		cost, err = e.estimateCost(ast, wrapped, opts...)
		// What libraries estimate from their own nodes goes past the wrapper, so that only what cel-go asks for is here.
		line["sizes"] = wrapped.sizes
	}
	if err != nil {
		line["error"] = err.Error()
	} else {
		line["cost"] = []string{number(cost.Min), number(cost.Max)}
	}
	Record(line)
	return cost, err
}

// Program is cel-go's; the program knows its text.
func (e *Env) Program(ast *Ast, opts ...ProgramOption) (Program, error) {
	program, err := e.program(ast, opts...)
	// Validators make programs of parts, which have no text.
	if made, ok := program.(*prog); ok && err == nil && ast.Source() != nil {
		made.recordedText = ast.Source().Content()
		if folded, failed := e.program(ast, append(append([]ProgramOption{}, opts...), EvalOptions(OptOptimize))...); failed == nil {
			made.folded, _ = folded.(*prog)
		}
	}
	return program, err
}

type recordingActivation struct {
	Activation
	resolved map[string]any
}

func (r *recordingActivation) ResolveName(name string) (any, bool) {
	value, found := r.Activation.ResolveName(name)
	if found && !strings.HasPrefix(name, "#") {
		r.resolved[name] = value
	}
	return value, found
}

// Eval is cel-go's, and writes down the variables that were asked for, the result and its cost.
func (p *prog) Eval(input any) (ref.Val, *EvalDetails, error) {
	resolved := map[string]any{}
	var out ref.Val
	var details *EvalDetails
	var err error
	switch vars := input.(type) {
	case Activation:
		out, details, err = p.eval(&recordingActivation{vars, resolved})
	case map[string]any:
		for name, value := range vars {
			resolved[name] = value
		}
		out, details, err = p.eval(input)
	default:
		return p.eval(input)
	}
	inputs := map[string]any{}
	for name, value := range resolved {
		if lazy, ok := value.(func() any); ok {
			value = lazy()
		}
		inputs[name] = RecordedValue(p.Env.adapter.NativeToValue(value))
	}
	line := map[string]any{"kind": "evaluate", "text": p.recordedText, "environment": p.Env.recordedEnvironment()}
	if len(inputs) > 0 {
		line["inputs"] = inputs
	}
	if asked := takeDecisions(); len(asked) > 0 {
		line["decisions"] = asked
	}
	if p.costLimit != nil {
		line["limit"] = number(*p.costLimit)
	}
	if details != nil && details.ActualCost() != nil {
		line["cost"] = number(*details.ActualCost())
		line["folded"] = p.foldedCost(input)
	}
	if err != nil {
		line["error"] = err.Error()
	} else {
		line["value"] = RecordedValue(out)
	}
	Record(line)
	return out, details, err
}

// foldedCost is what the evaluation costs where constants are computed when a program is made, as in Kubernetes. Upstream's
// tests of libraries do without.
func (p *prog) foldedCost(input any) string {
	if p.folded == nil {
		return ""
	}
	_, details, _ := p.folded.eval(input)
	takeDecisions()
	if details == nil || details.ActualCost() == nil {
		return ""
	}
	return number(*details.ActualCost())
}

// RecordedValue is a value as tagged JSON: null, booleans, strings and lists stand for themselves.
func RecordedValue(value ref.Val) any {
	switch v := value.(type) {
	case nil:
		return nil
	case types.Null:
		return nil
	case types.Bool:
		return bool(v)
	case types.String:
		return string(v)
	case types.Int:
		return map[string]any{"int": strconv.FormatInt(int64(v), 10)}
	case types.Uint:
		return map[string]any{"uint": strconv.FormatUint(uint64(v), 10)}
	case types.Double:
		return map[string]any{"double": strconv.FormatFloat(float64(v), 'g', -1, 64)}
	case types.Bytes:
		return map[string]any{"bytes": base64.StdEncoding.EncodeToString([]byte(v))}
	case types.Duration, types.Timestamp:
		return map[string]any{v.Type().TypeName(): fmt.Sprint(value.ConvertToType(types.StringType).Value())}
	case *types.Type:
		return map[string]any{"type": v.String()}
	case *types.Optional:
		if !v.HasValue() {
			return map[string]any{"optional": []any{}}
		}
		return map[string]any{"optional": []any{RecordedValue(v.GetValue())}}
	case *types.Err:
		return map[string]any{"error": v.Error()}
	case traits.Lister:
		list := []any{}
		for it := v.Iterator(); it.HasNext() == types.True; {
			list = append(list, RecordedValue(it.Next()))
		}
		return list
	case traits.Mapper:
		if v.Type().TypeName() == "kubernetes.variables" {
			// They are evaluated when they are asked for; asking here would charge their cost.
			return map[string]any{"object": v.Type().TypeName()}
		}
		entries := []any{}
		for it := v.Iterator(); it.HasNext() == types.True; {
			key := it.Next()
			entries = append(entries, []any{RecordedValue(key), RecordedValue(v.Get(key))})
		}
		sort.SliceStable(entries, func(i, j int) bool { return fmt.Sprint(entries[i]) < fmt.Sprint(entries[j]) })
		return map[string]any{"map": entries}
	}
	object := map[string]any{"object": value.Type().TypeName()}
	if text, ok := value.Value().(fmt.Stringer); ok {
		object["text"] = text.String()
	}
	return object
}

package cel

// What the package's own tests compile and validate, with what came of it, as JSON lines in $RULES_RECORDING. record.sh
// adds this file to a copy of k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel and gives the two functions that
// are called here in place of the originals the suffix Unrecorded.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apimachinery/pkg/util/validation/field"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/warning"
)

var (
	recordLock sync.Mutex
	typeNumber = regexp.MustCompile(`selfType\d+`)
)

func record(line map[string]any) {
	var text bytes.Buffer
	writeExact(&text, line)
	text.WriteByte('\n')
	recordLock.Lock()
	defer recordLock.Unlock()
	out, err := os.OpenFile(os.Getenv("RULES_RECORDING"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		panic(err)
	}
	defer out.Close()
	if _, err := out.Write(text.Bytes()); err != nil {
		panic(err)
	}
}

// writeExact keeps what Go's JSON loses: a float always has a point or an exponent, an integer never.
func writeExact(out *bytes.Buffer, value any) {
	switch v := reflect.ValueOf(value); v.Kind() {
	case reflect.Invalid:
		out.WriteString("null")
	case reflect.Map:
		keys := make([]string, 0, v.Len())
		for _, key := range v.MapKeys() {
			keys = append(keys, key.String())
		}
		sort.Strings(keys)
		out.WriteByte('{')
		for i, key := range keys {
			if i > 0 {
				out.WriteByte(',')
			}
			writeExact(out, key)
			out.WriteByte(':')
			writeExact(out, v.MapIndex(reflect.ValueOf(key)).Interface())
		}
		out.WriteByte('}')
	case reflect.Slice:
		if v.IsNil() {
			out.WriteString("null")
			return
		}
		out.WriteByte('[')
		for i := 0; i < v.Len(); i++ {
			if i > 0 {
				out.WriteByte(',')
			}
			writeExact(out, v.Index(i).Interface())
		}
		out.WriteByte(']')
	case reflect.Float32, reflect.Float64:
		text := strconv.FormatFloat(v.Float(), 'g', -1, 64)
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
		out.WriteString(text)
	case reflect.Int, reflect.Int32, reflect.Int64:
		out.WriteString(strconv.FormatInt(v.Int(), 10))
	case reflect.Uint64:
		out.WriteString(strconv.FormatUint(v.Uint(), 10))
	case reflect.Bool:
		out.WriteString(strconv.FormatBool(v.Bool()))
	case reflect.String:
		encoder := json.NewEncoder(out)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(v.String()); err != nil {
			panic(err)
		}
		out.Truncate(out.Len() - 1)
	default:
		panic(fmt.Sprintf("a %T cannot be recorded", value))
	}
}

func schemaJSON(s *schema.Structural) any {
	text, err := json.Marshal(s.ToKubeOpenAPI())
	if err != nil {
		panic(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var plain any
	if err := decoder.Decode(&plain); err != nil {
		panic(err)
	}
	addNestedOfStructural(plain, s)
	return numbersIn(plain)
}

// addNestedOfStructural adds the schemas of additional properties below allOf, which ToKubeOpenAPI leaves out.
func addNestedOfStructural(plain any, s *schema.Structural) {
	object, ok := plain.(map[string]any)
	if !ok || s == nil {
		return
	}
	if s.ValueValidation != nil {
		addNestedOfAll(object["allOf"], s.ValueValidation.AllOf)
	}
	addNestedOfStructural(object["items"], s.Items)
	if s.AdditionalProperties != nil {
		addNestedOfStructural(object["additionalProperties"], s.AdditionalProperties.Structural)
	}
	if properties, ok := object["properties"].(map[string]any); ok {
		for name := range s.Properties {
			below := s.Properties[name]
			addNestedOfStructural(properties[name], &below)
		}
	}
}

func addNestedOfAll(plain any, all []schema.NestedValueValidation) {
	list, ok := plain.([]any)
	if !ok {
		return
	}
	for i := range list {
		addNested(list[i], &all[i])
	}
}

func addNested(plain any, nested *schema.NestedValueValidation) {
	object, ok := plain.(map[string]any)
	if !ok || nested == nil {
		return
	}
	addNestedOfAll(object["allOf"], nested.ValueValidation.AllOf)
	addNested(object["items"], nested.Items)
	if properties, ok := object["properties"].(map[string]any); ok {
		for name := range nested.Properties {
			below := nested.Properties[name]
			addNested(properties[name], &below)
		}
	}
	if nested.AdditionalProperties == nil {
		return
	}
	object["additionalProperties"] = rulesOfNested(nested.AdditionalProperties)
}

// rulesOfNested is what a schema below allOf has of rules, and where.
func rulesOfNested(nested *schema.NestedValueValidation) any {
	text, err := json.Marshal((&schema.Structural{ValidationExtensions: nested.ValidationExtensions}).ToKubeOpenAPI())
	if err != nil {
		panic(err)
	}
	plain := map[string]any{}
	if err := json.Unmarshal(text, &plain); err != nil {
		panic(err)
	}
	if len(nested.ValueValidation.AllOf) > 0 {
		all := []any{}
		for i := range nested.ValueValidation.AllOf {
			all = append(all, rulesOfNested(&nested.ValueValidation.AllOf[i]))
		}
		plain["allOf"] = all
	}
	if nested.Items != nil {
		plain["items"] = rulesOfNested(nested.Items)
	}
	if len(nested.Properties) > 0 {
		properties := map[string]any{}
		for name := range nested.Properties {
			below := nested.Properties[name]
			properties[name] = rulesOfNested(&below)
		}
		plain["properties"] = properties
	}
	if nested.AdditionalProperties != nil {
		plain["additionalProperties"] = rulesOfNested(nested.AdditionalProperties)
	}
	return plain
}

func numbersIn(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key, below := range v {
			v[key] = numbersIn(below)
		}
	case []any:
		for i, below := range v {
			v[i] = numbersIn(below)
		}
	case json.Number:
		if whole, err := v.Int64(); err == nil {
			return whole
		}
		float, err := v.Float64()
		if err != nil {
			panic(err)
		}
		return float
	}
	return value
}

func errorText(err *apiservercel.Error) any {
	if err == nil {
		return nil
	}
	return string(err.Type) + ": " + typeNumber.ReplaceAllString(err.Detail, "selfType")
}

// Compile as Kubernetes does it, and write it down.
func Compile(s *schema.Structural, declType *apiservercel.DeclType, perCallLimit uint64, baseEnvSet *environment.EnvSet, envLoader EnvLoader) ([]CompilationResult, error) {
	results, err := compileUnrecorded(s, declType, perCallLimit, baseEnvSet, envLoader)
	if err != nil || len(results) == 0 || os.Getenv("RULES_RECORDING") == "" {
		return results, err
	}
	rules := []any{}
	for _, result := range results {
		rule := map[string]any{"oldSelf": result.UsesOldSelf, "cost": result.MaxCost, "cardinality": result.MaxCardinality, "messageCost": result.MessageExpressionMaxCost}
		if result.Error != nil {
			rule["error"] = errorText(result.Error)
		}
		if result.MessageExpressionError != nil {
			rule["messageError"] = errorText(result.MessageExpressionError)
		}
		if result.NormalizedRuleFieldPath != "" {
			rule["fieldPath"] = result.NormalizedRuleFieldPath
		}
		rules = append(rules, rule)
	}
	loader, _ := envLoader.(alwaysNewEnvLoader)
	stored := loader.loadFn != nil && loader.loadFn(baseEnvSet) == baseEnvSet.StoredExpressionsEnv()
	root := model.SchemaDeclType(s, false)
	record(map[string]any{"schema": schemaJSON(s), "root": root == nil || len(root.Fields) != len(declType.Fields), "stored": stored, "limit": perCallLimit, "rules": rules})
	return results, nil
}

type bothRecorders struct {
	context context.Context
	lock    sync.Mutex
	texts   []any
}

func (b *bothRecorders) AddWarning(agent, text string) {
	warning.AddWarning(b.context, agent, text)
	b.lock.Lock()
	defer b.lock.Unlock()
	b.texts = append(b.texts, text)
}

// ValidFieldPath as Kubernetes does it, and write it down.
func ValidFieldPath(jsonPath string, s *schema.Structural, options ...ValidFieldPathOption) (*field.Path, *schema.Structural, error) {
	path, found, err := validFieldPathUnrecorded(jsonPath, s, options...)
	if os.Getenv("RULES_RECORDING") != "" && len(options) == 0 {
		line := map[string]any{"schema": schemaJSON(s), "path": jsonPath}
		if err != nil {
			line["error"] = err.Error()
		} else {
			line["result"] = path.String()
		}
		record(line)
	}
	return path, found, err
}

// Validate as Kubernetes does it, and write it down.
func (s *Validator) Validate(ctx context.Context, fldPath *field.Path, sts *schema.Structural, obj, oldObj interface{}, costBudget int64, opts ...Option) (field.ErrorList, int64) {
	if s == nil || os.Getenv("RULES_RECORDING") == "" || ctx.Err() != nil {
		return s.validateUnrecorded(ctx, fldPath, sts, obj, oldObj, costBudget, opts...)
	}
	both := &bothRecorders{context: ctx, texts: []any{}}
	errs, left := s.validateUnrecorded(warning.WithWarningRecorder(ctx, both), fldPath, sts, obj, oldObj, costBudget, opts...)
	texts := []string{}
	for _, err := range errs {
		texts = append(texts, string(err.Type)+" | "+typeNumber.ReplaceAllString(err.Error(), "selfType"))
	}
	sort.Strings(texts)
	line := map[string]any{"schema": schemaJSON(sts), "root": s.isResourceRoot, "object": obj, "budget": costBudget, "errors": texts, "left": left, "limit": s.perCallLimit, "path": fldPath.String()}
	if oldObj != nil {
		line["old"] = oldObj
	}
	if len(opts) > 0 {
		line["ratchets"] = true
		sort.Slice(both.texts, func(i, j int) bool { return both.texts[i].(string) < both.texts[j].(string) })
		line["warnings"] = both.texts
	}
	record(line)
	return errs, left
}

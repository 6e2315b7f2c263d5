package main

import (
	"fmt"
	"reflect"
	"sort"
	"strconv"
	"strings"

	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/util"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kubernetes/pkg/generated/openapi"
)

// scalars are Go types that are one value in JSON, by their full name.
var scalars = map[string]string{
	"k8s.io/apimachinery/pkg/apis/meta/v1.Time":       "time",
	"k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime":  "microTime",
	"k8s.io/apimachinery/pkg/apis/meta/v1.Duration":   "duration",
	"k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1":   "fieldsV1",
	"k8s.io/apimachinery/pkg/api/resource.Quantity":   "quantity",
	"k8s.io/apimachinery/pkg/util/intstr.IntOrString": "intOrString",
	"k8s.io/apimachinery/pkg/runtime.RawExtension":    "rawExtension",
	// Audit events hold this type; they are sent as JSON only.
	"k8s.io/apimachinery/pkg/runtime.Unknown":                            "rawExtension",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSON":      "json",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1.JSON": "json",
}

// jsonForms are structs whose JSON is one of two forms (a schema, or something simpler).
var jsonForms = map[string]string{
	"JSONSchemaPropsOrArray":       "orArray",
	"JSONSchemaPropsOrBool":        "orBool",
	"JSONSchemaPropsOrStringArray": "orStringArray",
}

// typeSet collects structs, reached from the kinds that were added, with their OpenAPI definitions.
type typeSet struct {
	definitions map[string]common.OpenAPIDefinition
	structs     map[reflect.Type]*structType
}

type structType struct {
	model  string
	fields []any
	extra  map[string]any
	goPkg  string
}

func newTypeSet() *typeSet {
	ref := func(path string) spec.Ref { return spec.MustCreateRef("#/definitions/" + path) }
	return &typeSet{definitions: openapi.GetOpenAPIDefinitions(ref), structs: map[reflect.Type]*structType{}}
}

type modelNamer interface{ OpenAPIModelName() string }

func modelName(t reflect.Type) string {
	if namer, ok := reflect.Zero(t).Interface().(modelNamer); ok {
		return namer.OpenAPIModelName()
	}
	return util.ToRESTFriendlyName(t.PkgPath() + "." + t.Name())
}

func (s *typeSet) add(t reflect.Type) *structType {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if known, ok := s.structs[t]; ok {
		return known
	}
	out := &structType{model: modelName(t), goPkg: t.PkgPath(), extra: map[string]any{}}
	s.structs[t] = out
	definition, described := s.definitions[out.model]
	if form, ok := jsonForms[t.Name()]; ok {
		out.extra["j"] = form
	}
	if mapType, ok := definition.Schema.Extensions.GetString("x-kubernetes-map-type"); ok && mapType != "granular" {
		out.extra["m"] = mapType
	}
	if unions, ok := definition.Schema.Extensions["x-kubernetes-unions"]; ok {
		out.extra["u"] = unions
	}
	for i := range t.NumField() {
		if field := s.field(t, t.Field(i), out, definition.Schema, described); field != nil {
			out.fields = append(out.fields, field)
		}
	}
	return out
}

// field is [JSON name, protobuf number, type, flags, extras?]; see shared/api/gen-format.ts for the letters.
func (s *typeSet) field(parent reflect.Type, f reflect.StructField, owner *structType, schema spec.Schema, described bool) []any {
	tag, tagged := f.Tag.Lookup("json")
	parts := strings.Split(tag, ",")
	if parts[0] == "-" || !f.IsExported() {
		return nil
	}
	name, flags, extra := parts[0], "", map[string]any{}
	inline := f.Anonymous && name == "" && indirect(f.Type).Kind() == reflect.Struct
	if inline {
		flags += "i"
	} else if name == "" {
		name = f.Name
		if !tagged || len(parts) < 2 || parts[1] != "inline" {
			if _, form := jsonForms[parent.Name()]; !form {
				warn("%s.%s has no JSON name", parent, f.Name)
			}
		}
	}
	if f.Type.Kind() == reflect.Pointer {
		flags += "p"
	}
	for _, option := range parts[1:] {
		switch option {
		case "omitempty":
			flags += "e"
		case "omitzero":
			flags += "z"
		case "inline":
		default:
			panic(fmt.Sprintf("%s.%s: json option %s", parent, f.Name, option))
		}
	}
	number := 0
	if protobuf, ok := f.Tag.Lookup("protobuf"); ok {
		n, err := strconv.Atoi(strings.Split(protobuf, ",")[1])
		if err != nil {
			panic(err)
		}
		number = n
	}
	goName := strings.ToUpper(name[:min(1, len(name))]) + name[min(1, len(name)):]
	if inline {
		goName = f.Type.Name()
	}
	if goName != f.Name {
		extra["g"] = f.Name
	}
	kind := s.typeName(f.Type, owner, parent.String()+"."+f.Name)
	if named := namedType(f.Type); named != "" {
		extra["t"] = named
	}
	if !inline && described {
		property, ok := schema.Properties[name]
		if !ok {
			warn("%s.%s: not in OpenAPI", owner.model, name)
		} else {
			flags += s.describe(owner.model, name, f.Type, kind, flags, property, schema.Required, extra)
		}
	}
	if len(extra) > 0 {
		return []any{name, number, kind, flags, extra}
	}
	return []any{name, number, kind, flags}
}

// namedType is the type of a field as Go prints it if the type is a named string, list or map; the facts hold the
// underlying type.
func namedType(t reflect.Type) string {
	t = indirect(t)
	for part := t; ; {
		if _, known := scalars[part.PkgPath()+"."+part.Name()]; known {
			return ""
		}
		switch part.Kind() {
		case reflect.Struct, reflect.Interface:
			return ""
		}
		if part.PkgPath() != "" {
			return t.String()
		}
		switch part.Kind() {
		case reflect.Map:
			if part.Key().PkgPath() != "" {
				return t.String()
			}
			part = indirect(part.Elem())
		case reflect.Slice:
			part = indirect(part.Elem())
		default:
			return ""
		}
	}
}

func indirect(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// typeName writes a type: a scalar, #Struct, []Type, [*]Type, {}Type, and [w]Type for a list wrapped in a message.
func (s *typeSet) typeName(t reflect.Type, owner *structType, where string) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	full := t.PkgPath() + "." + t.Name()
	if scalar, ok := scalars[full]; ok {
		return scalar
	}
	switch t.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "bool"
	case reflect.Int32:
		return "int32"
	case reflect.Int64, reflect.Int:
		return "int64"
	case reflect.Uint32:
		return "uint32"
	case reflect.Uint64:
		return "uint64"
	case reflect.Float64:
		return "double"
	case reflect.Float32:
		return "float"
	case reflect.Interface:
		return "json"
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "bytes"
		}
		if t.Elem().Kind() == reflect.Pointer {
			return "[*]" + s.typeName(t.Elem(), owner, where)
		}
		// A named list with protobuf methods of its own is a message around its items.
		if _, ok := reflect.PointerTo(t).MethodByName("MarshalToSizedBuffer"); ok {
			return "[w]" + s.typeName(t.Elem(), owner, where)
		}
		return "[]" + s.typeName(t.Elem(), owner, where)
	case reflect.Map:
		if t.Elem().Kind() == reflect.Pointer {
			panic(where + ": map of pointers")
		}
		return "{}" + s.typeName(t.Elem(), owner, where)
	case reflect.Struct:
		if _, ok := reflect.PointerTo(t).MethodByName("MarshalJSON"); ok && jsonForms[t.Name()] == "" {
			panic(where + ": unknown JSON form of " + full)
		}
		model := s.add(t).model
		if name, ok := strings.CutPrefix(model, packageOf(owner.model)+"."); ok {
			return "#" + name
		}
		return "#" + model
	}
	panic(where + ": " + t.String())
}

func packageOf(model string) string { return model[:strings.LastIndex(model, ".")] }

var handled = map[string]bool{
	"x-kubernetes-list-type": true, "x-kubernetes-list-map-keys": true, "x-kubernetes-patch-strategy": true,
	"x-kubernetes-patch-merge-key": true, "x-kubernetes-map-type": true,
}

// describe copies what OpenAPI says about a field into `extra` and returns further flags.
func (s *typeSet) describe(model, name string, t reflect.Type, kind, before string, p spec.Schema, required []string, extra map[string]any) string {
	flags := ""
	for _, r := range required {
		if r == name {
			flags += "r"
		}
	}
	if p.Description == "" && p.Ref.String() != "" {
		flags += "u"
	}
	text := func(key, as string) {
		if v, ok := p.Extensions.GetString(key); ok {
			extra[as] = v
		}
	}
	text("x-kubernetes-list-type", "lt")
	text("x-kubernetes-patch-strategy", "ps")
	text("x-kubernetes-patch-merge-key", "mk")
	text("x-kubernetes-map-type", "mt")
	if keys, ok := p.Extensions.GetStringSlice("x-kubernetes-list-map-keys"); ok {
		extra["lk"] = keys
	}
	for key := range p.Extensions {
		if !handled[key] {
			warn("%s.%s: %s", model, name, key)
		}
	}
	if len(p.Enum) > 0 {
		extra["en"] = p.Enum
	} else if p.Items != nil && p.Items.Schema != nil && len(p.Items.Schema.Enum) > 0 {
		extra["ei"] = p.Items.Schema.Enum
	} else if p.AdditionalProperties != nil && p.AdditionalProperties.Schema != nil && len(p.AdditionalProperties.Schema.Enum) > 0 {
		extra["ei"] = p.AdditionalProperties.Schema.Enum
	}
	if p.Format != "" && p.Format != impliedFormat(kind) {
		extra["f"] = p.Format
	}
	pointer := strings.Contains(before, "p")
	zero := isZero(p.Default)
	switch {
	case p.Default != nil && (!zero || pointer):
		extra["d"] = p.Default
	case (p.Default != nil) != expectsZeroDefault(t, kind, before):
		flags += "d"
	}
	if p.MinLength != nil || p.MaxLength != nil || p.Pattern != "" || p.Minimum != nil || p.Maximum != nil || p.MaxItems != nil || p.MinItems != nil {
		warn("%s.%s: bounds", model, name)
	}
	return flags
}

// expectsZeroDefault reports whether openapi-gen writes the zero value as the default of a field that has no marker.
func expectsZeroDefault(t reflect.Type, kind, flags string) bool {
	if t.Kind() == reflect.Pointer || strings.HasPrefix(kind, "[") || strings.HasPrefix(kind, "{") {
		return false
	}
	if strings.HasPrefix(kind, "#") {
		return true
	}
	switch kind {
	case "time", "microTime", "quantity", "duration", "intOrString", "rawExtension", "fieldsV1", "json", "bytes":
		return false
	}
	return !strings.Contains(flags, "e")
}

func isZero(v any) bool {
	switch x := v.(type) {
	case nil:
		return true
	case map[string]any:
		return len(x) == 0
	default:
		return reflect.ValueOf(v).IsZero()
	}
}

func impliedFormat(kind string) string {
	switch kind {
	case "int32", "int64", "double", "float":
		return kind
	case "bytes":
		return "byte"
	case "time", "microTime":
		return "date-time"
	case "intOrString":
		return "int-or-string"
	}
	return ""
}

var warnings = map[string]int{}

func warn(format string, args ...any) { warnings[fmt.Sprintf(format, args...)]++ }

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}

package main

import (
	"reflect"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	printers "k8s.io/kubernetes/pkg/printers/internalversion"
)

// printed are the columns that printers define, by the internal type that they print.
type printed map[reflect.Type][]metav1.TableColumnDefinition

// TableHandler implements printers.PrintHandler: it records the columns.
func (p printed) TableHandler(columns []metav1.TableColumnDefinition, printFunc any) error {
	p[reflect.TypeOf(printFunc).In(0).Elem()] = columns
	return nil
}

// columnFields finds the field whose documentation describes a column. Only the path of the field is kept, not the
// text.
type columnFields struct {
	scheme   *runtime.Scheme
	printers printed
	types    *typeSet
}

func newColumnFields(scheme *runtime.Scheme, types *typeSet) columnFields {
	found := columnFields{scheme, printed{}, types}
	printers.AddHandlers(found.printers)
	return found
}

// defaultFields are the columns, with their fields, of kinds whose server uses no printer
// (apiserver/pkg/registry/rest/table.go, and the columns of APIServices).
var defaultFields = map[string]string{"Name": "name", "Created At": "creationTimestamp", "Age": "creationTimestamp"}

// add appends to each column the path of its field in the kind, or `#model.field` if no path of the kind leads to the
// field.
func (c columnFields) add(kind schema.GroupVersionKind, columns [][4]any) [][]any {
	descriptions := map[string]string{}
	for name, field := range defaultFields {
		descriptions[name] = metav1.ObjectMeta{}.SwaggerDoc()[field]
	}
	internal, err := c.scheme.New(schema.GroupVersionKind{Group: kind.Group, Version: runtime.APIVersionInternal, Kind: kind.Kind})
	if err == nil {
		for _, column := range c.printers[reflect.TypeOf(internal).Elem()] {
			descriptions[column.Name] = column.Description
		}
	}
	object, err := c.scheme.New(kind)
	must(err)
	out := [][]any{}
	for _, column := range columns {
		entry := column[:]
		if text := descriptions[column[0].(string)]; text != "" {
			if field := c.fieldOf(reflect.TypeOf(object).Elem(), text); field != "" {
				entry = append(entry, field)
			}
		}
		out = append(out, entry)
	}
	return out
}

func (c columnFields) fieldOf(kind reflect.Type, text string) string {
	if path := documentedPath(kind, text, 5); path != "" {
		return path
	}
	found := ""
	for t, known := range c.types.structs {
		if name := documented(t, text); name != "" && (found == "" || "#"+known.model+"."+name < found) {
			found = "#" + known.model + "." + name
		}
	}
	return found
}

// documentedPath is the shortest path through structs to a field with the text.
func documentedPath(t reflect.Type, text string, depth int) string {
	if name := documented(t, text); name != "" {
		return name
	}
	best := ""
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		inner := indirect(f.Type)
		if depth == 0 || inner.Kind() != reflect.Struct {
			continue
		}
		rest := documentedPath(inner, text, depth-1)
		if rest == "" {
			continue
		}
		if name != "" {
			rest = name + "." + rest
		}
		if best == "" || strings.Count(rest, ".") < strings.Count(best, ".") {
			best = rest
		}
	}
	return best
}

// documented is the JSON name of the struct's own field with the text.
func documented(t reflect.Type, text string) string {
	documents, ok := reflect.Zero(t).Interface().(interface{ SwaggerDoc() map[string]string })
	if !ok {
		return ""
	}
	for _, name := range sortedKeys(documents.SwaggerDoc()) {
		if name != "" && documents.SwaggerDoc()[name] == text {
			return name
		}
	}
	return ""
}

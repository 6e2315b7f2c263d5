// Lists what upstream's rules read beside the usual fields: keys of annotations and labels, fields that are said to be
// deprecated, and options of requests. Rules are the validation, defaults and conversions of pkg/apis, the strategies and
// subresources of pkg/registry, the helpers of pkg/api, and the admission plugins. Names only, with the files that read
// them.
//
//	cd test/recorders && go run ./legacy-rules > ../conformance/legacy-rules/gen/read-by-upstream.json
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// rules are the packages whose files are searched.
var rules = []string{
	"k8s.io/kubernetes/pkg/api/...",
	"k8s.io/kubernetes/pkg/apis/...",
	"k8s.io/kubernetes/pkg/registry/...",
	"k8s.io/kubernetes/pkg/volume/validation",
	"k8s.io/kubernetes/plugin/pkg/admission/...",
	"k8s.io/apiserver/pkg/admission/plugin/...",
	"k8s.io/apiserver/pkg/registry/rest",
	"k8s.io/component-helpers/scheduling/corev1",
	"k8s.io/pod-security-admission/...",
}

// optionTypes are decoded from the query or the body of requests.
var optionTypes = map[string][]string{
	"k8s.io/apimachinery/pkg/apis/meta/v1": {"CreateOptions", "DeleteOptions", "GetOptions", "ListOptions", "PatchOptions", "Preconditions", "UpdateOptions"},
	"k8s.io/api/core/v1":                   {"NodeProxyOptions", "PodAttachOptions", "PodExecOptions", "PodLogOptions", "PodPortForwardOptions", "PodProxyOptions", "ServiceProxyOptions"},
	"k8s.io/api/policy/v1":                 {"Eviction"},
}

type goPackage struct {
	ImportPath, Dir string
	GoFiles         []string
	files           []*ast.File
	// Constants and variables of string type, not yet evaluated.
	texts map[string]ast.Expr
	// The file of each of them, for its imports.
	homes map[string]*ast.File
}

type named struct {
	Name   string   `json:"name"`
	ReadBy []string `json:"readBy,omitempty"`
}

type listed struct {
	Keys    []named `json:"keys"`
	Fields  []named `json:"fields"`
	Options []named `json:"options"`
}

var (
	packages = map[string]*goPackage{}
	key      = regexp.MustCompile(`^([a-z0-9-]+(\.[a-z0-9-]*[a-z][a-z0-9-]*)+/[A-Za-z0-9._-]*|deprecated\.[A-Za-z.]+)$`)
	groupish = regexp.MustCompile(`/v\d+((alpha|beta)\d+)?$`)
	legacy   = regexp.MustCompile(`(?i)deprecated|\blegacy\b|no longer (used|supported|honored)|should not be used`)
)

func main() {
	inRules := map[string]bool{}
	for _, path := range load(false, rules...) {
		inRules[path] = true
	}
	load(true, rules...)
	for _, one := range packages {
		parse(one)
	}
	found := listed{Keys: keys(inRules), Fields: fields(inRules), Options: options()}
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	out.SetIndent("", " ")
	if err := out.Encode(found); err != nil {
		panic(err)
	}
}

// load asks the go command for packages of k8s.io, with those that they import if deps is set.
func load(deps bool, patterns ...string) []string {
	arguments := []string{"list", "-e", "-json=ImportPath,Dir,GoFiles"}
	if deps {
		arguments = append(arguments, "-deps")
	}
	command := exec.Command("go", append(arguments, patterns...)...)
	command.Stderr = os.Stderr
	text, err := command.Output()
	if err != nil {
		panic(err)
	}
	var paths []string
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	for decoder.More() {
		one := &goPackage{}
		if err := decoder.Decode(one); err != nil {
			panic(err)
		}
		if !strings.HasPrefix(one.ImportPath, "k8s.io/") || strings.HasSuffix(one.ImportPath, "/testing") {
			continue
		}
		packages[one.ImportPath] = one
		paths = append(paths, one.ImportPath)
	}
	return paths
}

func parse(one *goPackage) {
	one.texts, one.homes = map[string]ast.Expr{}, map[string]*ast.File{}
	for _, name := range one.GoFiles {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(one.Dir, name), nil, parser.ParseComments)
		if err != nil {
			panic(err)
		}
		file.Name.Name = name
		one.files = append(one.files, file)
		for _, declared := range file.Decls {
			values, ok := declared.(*ast.GenDecl)
			if !ok || (values.Tok != token.CONST && values.Tok != token.VAR) {
				continue
			}
			for _, spec := range values.Specs {
				value := spec.(*ast.ValueSpec)
				for i, identifier := range value.Names {
					if i < len(value.Values) {
						one.texts[identifier.Name], one.homes[identifier.Name] = value.Values[i], file
					}
				}
			}
		}
	}
}

// imported is the package that a file knows by a name.
func imported(file *ast.File, name string) *goPackage {
	for _, one := range file.Imports {
		path, _ := strconv.Unquote(one.Path.Value)
		own := filepath.Base(path)
		if one.Name != nil {
			own = one.Name.Name
		}
		if own == name {
			return packages[path]
		}
	}
	return nil
}

// text is the value of an expression that is a constant string, as far as the source tells.
func text(expression ast.Expr, file *ast.File, own *goPackage, depth int) string {
	if depth > 9 {
		return ""
	}
	named := func(in *goPackage, name string) string {
		if in == nil || in.texts[name] == nil {
			return ""
		}
		return text(in.texts[name], in.homes[name], in, depth+1)
	}
	switch one := expression.(type) {
	case *ast.BasicLit:
		if value, err := strconv.Unquote(one.Value); err == nil && one.Kind == token.STRING {
			return value
		}
	case *ast.Ident:
		return named(own, one.Name)
	case *ast.SelectorExpr:
		if name, ok := one.X.(*ast.Ident); ok {
			return named(imported(file, name.Name), one.Sel.Name)
		}
	case *ast.ParenExpr:
		return text(one.X, file, own, depth)
	case *ast.BinaryExpr:
		left, right := text(one.X, file, own, depth+1), text(one.Y, file, own, depth+1)
		if one.Op == token.ADD && left != "" && right != "" {
			return left + right
		}
		return left
	}
	return ""
}

// isRule leaves out what was generated, what registers, and the clients of other servers.
func isRule(name string) bool {
	return !strings.HasPrefix(name, "zz_generated") && !strings.HasSuffix(name, ".pb.go") && name != "register.go"
}

func keys(inRules map[string]bool) []named {
	readers := map[string]map[string]bool{}
	eachRule(inRules, func(own *goPackage, file *ast.File, place string) {
		for _, declared := range file.Decls {
			// Constants are no use of a key by themselves.
			function, ok := declared.(*ast.FuncDecl)
			if !ok || function.Body == nil {
				continue
			}
			ast.Inspect(function.Body, func(node ast.Node) bool {
				expression, ok := node.(ast.Expr)
				if !ok {
					return true
				}
				if value := text(expression, file, own, 0); key.MatchString(value) && !groupish.MatchString(value) && !strings.Contains(value, "k8s.io/api/") {
					note(readers, value, place)
				}
				return true
			})
		}
	})
	return sorted(readers)
}

// fields are those of served types that are said to be deprecated, and that a rule selects by their Go name.
func fields(inRules map[string]bool) []named {
	selected := map[string]map[string]bool{}
	eachRule(inRules, func(_ *goPackage, file *ast.File, place string) {
		ast.Inspect(file, func(node ast.Node) bool {
			if one, ok := node.(*ast.SelectorExpr); ok {
				note(selected, one.Sel.Name, place)
			}
			return true
		})
	})
	readers := map[string]map[string]bool{}
	for _, path := range slices.Sorted(maps.Keys(packages)) {
		if !strings.HasPrefix(path, "k8s.io/api/") {
			continue
		}
		group := strings.TrimPrefix(path, "k8s.io/api/")
		eachStruct(packages[path], func(name string, fields *ast.StructType) {
			for _, field := range fields.Fields.List {
				if len(field.Names) == 0 || field.Tag == nil || !legacy.MatchString(field.Doc.Text()) {
					continue
				}
				for place := range selected[field.Names[0].Name] {
					// A rule of the same group, or one that all groups share.
					if strings.Contains(place, "/"+strings.Split(group, "/")[0]+"/") || strings.Contains(place, "pkg/api/") {
						note(readers, fmt.Sprintf("%s %s.%s", group, name, jsonName(field)), place)
					}
				}
			}
		})
	}
	return sorted(readers)
}

func options() []named {
	var found []named
	for _, path := range slices.Sorted(maps.Keys(optionTypes)) {
		eachStruct(packages[path], func(name string, fields *ast.StructType) {
			if !slices.Contains(optionTypes[path], name) {
				return
			}
			for _, field := range fields.Fields.List {
				if len(field.Names) > 0 && field.Tag != nil {
					found = append(found, named{Name: name + "." + jsonName(field)})
				}
			}
		})
	}
	slices.SortFunc(found, func(a, b named) int { return strings.Compare(a.Name, b.Name) })
	return found
}

func eachRule(inRules map[string]bool, use func(own *goPackage, file *ast.File, place string)) {
	for _, path := range slices.Sorted(maps.Keys(inRules)) {
		for _, file := range packages[path].files {
			if isRule(file.Name.Name) {
				use(packages[path], file, strings.TrimPrefix(path, "k8s.io/")+"/"+file.Name.Name)
			}
		}
	}
}

func eachStruct(one *goPackage, use func(name string, fields *ast.StructType)) {
	for _, file := range one.files {
		if !isRule(file.Name.Name) {
			continue
		}
		ast.Inspect(file, func(node ast.Node) bool {
			if spec, ok := node.(*ast.TypeSpec); ok {
				if fields, ok := spec.Type.(*ast.StructType); ok {
					use(spec.Name.Name, fields)
				}
			}
			return true
		})
	}
}

func jsonName(field *ast.Field) string {
	tag := regexp.MustCompile(`json:"([^",]*)`).FindStringSubmatch(field.Tag.Value)
	if len(tag) < 2 || tag[1] == "" {
		return field.Names[0].Name
	}
	return tag[1]
}

func note(in map[string]map[string]bool, name, place string) {
	if in[name] == nil {
		in[name] = map[string]bool{}
	}
	in[name][place] = true
}

func sorted(readers map[string]map[string]bool) []named {
	found := make([]named, 0, len(readers))
	for _, name := range slices.Sorted(maps.Keys(readers)) {
		found = append(found, named{Name: name, ReadBy: slices.Sorted(maps.Keys(readers[name]))})
	}
	return found
}

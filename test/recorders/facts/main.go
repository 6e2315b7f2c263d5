// Writes shared/api/gen: what upstream's published modules say about the built-in API, as data. Facts only: names,
// numbers, types, flags. See generate.sh.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1beta1 "k8s.io/apimachinery/pkg/apis/meta/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"
	audit "k8s.io/apiserver/pkg/apis/audit/install"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/install"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	apidiscoveryv2 "k8s.io/api/apidiscovery/v2"
	apidiscoveryv2beta1 "k8s.io/api/apidiscovery/v2beta1"
	_ "k8s.io/kubernetes/pkg/apis/admission/install"
	_ "k8s.io/kubernetes/pkg/apis/admissionregistration/install"
	_ "k8s.io/kubernetes/pkg/apis/apiserverinternal/install"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/authentication/install"
	_ "k8s.io/kubernetes/pkg/apis/authorization/install"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/certificates/install"
	_ "k8s.io/kubernetes/pkg/apis/coordination/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/discovery/install"
	_ "k8s.io/kubernetes/pkg/apis/events/install"
	_ "k8s.io/kubernetes/pkg/apis/extensions/install"
	_ "k8s.io/kubernetes/pkg/apis/flowcontrol/install"
	_ "k8s.io/kubernetes/pkg/apis/imagepolicy/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/node/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
	_ "k8s.io/kubernetes/pkg/apis/storagemigration/install"
)

const metaPackage = "k8s.io/apimachinery/pkg/apis/meta/v1"

// unserved are group versions that discovery does not list but whose objects are sent or stored: reviews for webhooks,
// audit events, discovery documents, and the older Eviction.
var unserved = []schema.GroupVersion{
	{Group: "admission.k8s.io", Version: "v1"},
	{Group: "apidiscovery.k8s.io", Version: "v2"},
	{Group: "apiextensions.k8s.io", Version: "v1beta1"}, // the form in which CRDs are stored
	{Group: "apidiscovery.k8s.io", Version: "v2beta1"},
	{Group: "audit.k8s.io", Version: "v1"},
	{Group: "imagepolicy.k8s.io", Version: "v1alpha1"},
	{Group: "policy", Version: "v1beta1"},
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: facts RECORDED-JSON OUT-FOLDER")
		os.Exit(2)
	}
	var input recorded
	raw, err := os.ReadFile(os.Args[1])
	must(err)
	must(json.Unmarshal(raw, &input))
	out := os.Args[2]
	scheme := allTypes()
	types := newTypeSet()
	groups := collectKinds(scheme, types, input)
	writeTypes(out, types, groups)
	writeResources(out, scheme, types, groups, input)
	writeFeatureGates(out)
	writeBootstrap(out)
	writeTimeZones(out)
	for _, warning := range sortedKeys(warnings) {
		fmt.Fprintln(os.Stderr, "note:", warning)
	}
}

func allTypes() *runtime.Scheme {
	scheme := legacyscheme.Scheme
	apiextensions.Install(scheme)
	apiregistration.Install(scheme)
	audit.Install(scheme)
	must(apidiscoveryv2.AddToScheme(scheme))
	must(apidiscoveryv2beta1.AddToScheme(scheme))
	must(metav1.AddMetaToScheme(scheme))
	must(metav1beta1.AddMetaToScheme(scheme))
	return scheme
}

// groupTypes is one file of types: a group's kinds by version, and the Go packages that it holds.
type groupTypes struct {
	kinds    map[string][]string
	packages map[string]string // version → package of models
}

// collectKinds adds every kind of every served version; kinds of meta/v1 that belong to every group go to "meta".
func collectKinds(scheme *runtime.Scheme, types *typeSet, input recorded) map[string]*groupTypes {
	groups := map[string]*groupTypes{"meta": {kinds: map[string][]string{}, packages: map[string]string{}}}
	common := map[string]bool{}
	versions := append([]schema.GroupVersion{{Group: "meta.k8s.io", Version: "v1"}, {Group: "meta.k8s.io", Version: "v1beta1"}}, unserved...)
	for _, group := range input.Groups {
		for _, v := range group.Versions {
			versions = append(versions, schema.GroupVersion{Group: group.Metadata.Name, Version: v.Version})
		}
	}
	for _, gv := range versions {
		file := fileOf(gv.Group)
		group := groups[file]
		if group == nil {
			group = &groupTypes{kinds: map[string][]string{}, packages: map[string]string{}}
			groups[file] = group
		}
		known := scheme.KnownTypes(gv)
		group.packages[gv.Version] = mainPackage(known)
		if file == "meta" {
			group.packages[gv.Version] = "io.k8s.apimachinery.pkg.apis.meta." + gv.Version
		}
		for _, kind := range sortedKeys(known) {
			t := known[kind]
			if t.PkgPath() == metaPackage && file != "meta" {
				common[kind] = true
				types.add(t)
				continue
			}
			if file == "meta" && (strings.HasSuffix(kind, "Options") && kind != "TableOptions" || kind == "WatchEvent") {
				continue
			}
			model := types.add(t).model
			if model == group.packages[gv.Version]+"."+kind {
				model = kind
			} else {
				model = kind + "=" + model
			}
			group.kinds[gv.Version] = append(group.kinds[gv.Version], model)
		}
	}
	types.add(reflect.TypeOf(version.Info{}))
	groups["meta"].kinds[""] = sortedKeys(common)
	groups["meta"].packages[""] = modelPackage(metav1.ObjectMeta{})
	return groups
}

// mainPackage is the package of models that holds most kinds of a version.
func mainPackage(known map[string]reflect.Type) string {
	counts := map[string]int{}
	best := ""
	for _, kind := range sortedKeys(known) {
		if t := known[kind]; t.PkgPath() != metaPackage {
			name := packageOf(modelName(t))
			counts[name]++
			if counts[name] > counts[best] {
				best = name
			}
		}
	}
	return best
}

func modelPackage(of any) string { return packageOf(modelName(reflect.TypeOf(of))) }

func fileOf(group string) string {
	switch group {
	case "":
		return "core"
	case "meta.k8s.io":
		return "meta"
	}
	return group
}

// fileOfPackage finds the file that holds a package of models.
func fileOfPackage(groups map[string]*groupTypes) map[string]string {
	files := map[string]string{modelPackage(version.Info{}): "meta", modelPackage(metav1beta1.PartialObjectMetadataList{}): "meta"}
	for name, group := range groups {
		for _, pkg := range group.packages {
			files[pkg] = name
		}
	}
	return files
}

func writeTypes(out string, types *typeSet, groups map[string]*groupTypes) {
	files := fileOfPackage(groups)
	byFile := map[string]map[string]map[string]*structType{}
	for _, t := range types.structs {
		pkg := packageOf(t.model)
		file := files[pkg]
		if file == "" {
			panic("no file for " + t.model)
		}
		if byFile[file] == nil {
			byFile[file] = map[string]map[string]*structType{}
		}
		if byFile[file][pkg] == nil {
			byFile[file][pkg] = map[string]*structType{}
		}
		byFile[file][pkg][t.model[len(pkg)+1:]] = t
	}
	for _, file := range sortedKeys(groups) {
		var b strings.Builder
		b.WriteString("{\n\"kinds\": " + block(groups[file].kinds) + ",\n\"types\": {")
		for i, pkg := range sortedKeys(byFile[file]) {
			if i > 0 {
				b.WriteString(",")
			}
			fmt.Fprintf(&b, "\n%q: {", pkg)
			for j, name := range sortedKeys(byFile[file][pkg]) {
				if j > 0 {
					b.WriteString(",")
				}
				t := byFile[file][pkg][name]
				var value any = t.fields
				if t.fields == nil {
					value = []any{}
				}
				if len(t.extra) > 0 {
					t.extra["fields"] = value
					value = t.extra
				}
				fmt.Fprintf(&b, "\n%q: %s", name, compact(value))
			}
			b.WriteString("\n}")
		}
		b.WriteString("\n}\n}\n")
		write(out, "types/"+file+".json", b.String())
	}
}

func block[V any](of map[string]V) string {
	lines := []string{}
	for _, key := range sortedKeys(of) {
		lines = append(lines, fmt.Sprintf("%q: %s", key, compact(of[key])))
	}
	return "{\n" + strings.Join(lines, ",\n") + "\n}"
}

func compact(value any) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	must(encoder.Encode(value))
	return strings.TrimSuffix(b.String(), "\n")
}

func write(out, name, text string) {
	path := filepath.Join(out, name)
	must(os.MkdirAll(filepath.Dir(path), 0o755))
	must(os.WriteFile(path, []byte(text), 0o644))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func sortStrings(list []string) []string { sort.Strings(list); return list }

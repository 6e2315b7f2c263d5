package main

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/pkg/kubeapiserver"
)

// unregistered are the priorities of groups without an APIService: the aggregator gives its own group the highest
// priority.
var unregistered = map[string][2]int{"apiregistration.k8s.io": {20001, 0}}

// gateOf is the feature gate without which no version of a resource is installed (pkg/registry/*/rest).
var gateOf = map[schema.GroupResource]string{
	{Group: "certificates.k8s.io", Resource: "clustertrustbundles"}:          "ClusterTrustBundle",
	{Group: "certificates.k8s.io", Resource: "podcertificaterequests"}:       "PodCertificateRequest",
	{Group: "scheduling.k8s.io", Resource: "podgroups"}:                      "GenericWorkload",
	{Group: "scheduling.k8s.io", Resource: "workloads"}:                      "GenericWorkload",
	{Group: "storagemigration.k8s.io", Resource: "storageversionmigrations"}: "StorageVersionMigrator",
}

// recorded is what record.ts writes.
type recorded struct {
	Groups []struct {
		Metadata struct{ Name string }
		Versions []struct {
			Version   string
			Resources []recordedResource
		}
	}
	EnabledByDefault     []string
	DeleteReturnsObject  []string
	Priorities           map[string][2]int
	StorageVersionHashes map[string]string
	Columns              map[string][][4]any
}

type recordedResource struct {
	Resource         string
	ResponseKind     groupVersionKind
	Scope            string
	SingularResource string
	Verbs            []string
	ShortNames       []string
	Categories       []string
	Subresources     []struct {
		Subresource   string
		ResponseKind  *groupVersionKind
		AcceptedTypes []groupVersionKind
		Verbs         []string
	}
}

type groupVersionKind struct{ Group, Version, Kind string }

type versionFacts struct {
	Version   string          `json:"version"`
	Priority  int             `json:"priority"`
	Package   string          `json:"package"`
	Default   bool            `json:"default,omitempty"`
	Resources []resourceFacts `json:"-"`
}

type resourceFacts struct {
	Resource       string             `json:"resource"`
	Singular       string             `json:"singular"`
	Kind           string             `json:"kind"`
	ListKind       string             `json:"listKind,omitempty"`
	Namespaced     bool               `json:"namespaced,omitempty"`
	ShortNames     []string           `json:"shortNames,omitempty"`
	Categories     []string           `json:"categories,omitempty"`
	Verbs          []string           `json:"verbs"`
	Subresources   []subresourceFacts `json:"subresources,omitempty"`
	Selectable     []string           `json:"selectable,omitempty"`
	Columns        [][]any            `json:"columns,omitempty"`
	StorageVersion string             `json:"storageVersion,omitempty"`
	StoragePrefix  string             `json:"storagePrefix,omitempty"`
	StorageHash    string             `json:"storageHash,omitempty"`
	Default        bool               `json:"default,omitempty"`
	DeleteObject   bool               `json:"deleteObject,omitempty"`
	Gate           string             `json:"gate,omitempty"`
	Introduced     string             `json:"introduced,omitempty"`
	Deprecated     string             `json:"deprecated,omitempty"`
	Removed        string             `json:"removed,omitempty"`
	Replacement    string             `json:"replacement,omitempty"`
}

type subresourceFacts struct {
	Name     string     `json:"name"`
	Kind     []string   `json:"kind"`
	Verbs    []string   `json:"verbs"`
	Accepted [][]string `json:"accepted,omitempty"`
}

func writeResources(out string, scheme *runtime.Scheme, types *typeSet, groups map[string]*groupTypes, input recorded) {
	enabled := map[string]bool{}
	for _, key := range input.EnabledByDefault {
		enabled[key] = true
	}
	labels := candidateLabels(types)
	fields := newColumnFields(scheme, types)
	lines := []string{}
	for _, group := range input.Groups {
		name := group.Metadata.Name
		for _, v := range group.Versions {
			gv := schema.GroupVersion{Group: name, Version: v.Version}
			priority, ok := input.Priorities[name+"/"+v.Version]
			if !ok {
				priority = unregistered[name]
			}
			facts := versionFacts{Version: v.Version, Priority: priority[1], Package: groups[fileOf(name)].packages[v.Version]}
			resources := []string{}
			for _, r := range v.Resources {
				key := fmt.Sprintf("%s/%s/%s", name, v.Version, r.Resource)
				one := resourceOf(scheme, gv, r, labels)
				one.Columns = fields.add(gv.WithKind(one.Kind), input.Columns[key])
				one.Default = enabled[key]
				one.Gate = gateOf[schema.GroupResource{Group: name, Resource: r.Resource}]
				one.DeleteObject = slices.Contains(input.DeleteReturnsObject, key)
				facts.Default = facts.Default || one.Default
				if hash := input.StorageVersionHashes[key]; hash != "" {
					one.StorageHash = hash
					one.StorageVersion = storageVersion(scheme, r.ResponseKind.Kind, hash)
					one.StoragePrefix = storagePrefix(name, r.Resource)
				}
				resources = append(resources, compact(one))
			}
			head := strings.TrimSuffix(compact(facts), "}")
			lines = append(lines, fmt.Sprintf("{\"group\":%q,\"groupPriority\":%d,%s,\"resources\":[\n%s\n]}", name, priority[0], head[1:], strings.Join(resources, ",\n")))
		}
	}
	write(out, "resources.json", "{\n\"versions\": [\n"+strings.Join(lines, ",\n")+"\n],\n\"files\": "+block(fileOfPackage(groups))+",\n\"registered\": "+compact(registeredVersions(scheme))+"\n}\n")
}

// registeredVersions are the external versions in which a server knows the options of every request; audit events,
// discovery documents and meta.k8s.io have schemes of their own upstream.
func registeredVersions(scheme *runtime.Scheme) []string {
	apart := []string{"audit.k8s.io", "apidiscovery.k8s.io", "meta.k8s.io"}
	found := []string{}
	for kind := range scheme.AllKnownTypes() {
		if kind.Kind == "WatchEvent" && kind.Version != runtime.APIVersionInternal && !slices.Contains(apart, kind.Group) {
			found = append(found, kind.Group+"/"+kind.Version)
		}
	}
	return sortStrings(found)
}

func resourceOf(scheme *runtime.Scheme, gv schema.GroupVersion, r recordedResource, labels []string) resourceFacts {
	kind := gv.WithKind(r.ResponseKind.Kind)
	one := resourceFacts{
		Resource: r.Resource, Singular: r.SingularResource, Kind: kind.Kind, Namespaced: r.Scope == "Namespaced",
		ShortNames: r.ShortNames, Categories: r.Categories, Verbs: sortStrings(r.Verbs),
	}
	if scheme.Recognizes(gv.WithKind(kind.Kind + "List")) {
		one.ListKind = kind.Kind + "List"
	}
	for _, verb := range r.Verbs {
		if verb == "list" {
			one.Selectable = selectable(scheme, kind, labels)
		}
	}
	for _, s := range r.Subresources {
		sub := subresourceFacts{Name: s.Subresource, Verbs: sortStrings(s.Verbs)}
		if s.ResponseKind != nil {
			sub.Kind = resolve(gv, *s.ResponseKind)
		}
		for _, accepted := range s.AcceptedTypes {
			sub.Accepted = append(sub.Accepted, resolve(gv, accepted))
		}
		one.Subresources = append(one.Subresources, sub)
	}
	lifecycle(scheme, kind, &one)
	return one
}

// resolve fills what discovery leaves empty: the group and version of the document itself.
func resolve(gv schema.GroupVersion, k groupVersionKind) []string {
	if k.Group == "" && k.Version == "" {
		k.Group, k.Version = gv.Group, gv.Version
	}
	return []string{k.Group, k.Version, k.Kind}
}

// storageVersion finds the version whose hash discovery shows; it may be one that is not served (CRDs: v1beta1).
func storageVersion(scheme *runtime.Scheme, kind, hash string) string {
	for known := range scheme.AllKnownTypes() {
		if known.Kind != kind {
			continue
		}
		sum := sha256.Sum256([]byte(known.Group + "/" + known.Version + "/" + kind))
		if base64.StdEncoding.EncodeToString(sum[:8]) == hash {
			return known.GroupVersion().String()
		}
	}
	panic("no version of " + kind + " has the hash " + hash)
}

func storagePrefix(group, resource string) string {
	if special, ok := kubeapiserver.SpecialDefaultResourcePrefixes[schema.GroupResource{Group: group, Resource: resource}]; ok {
		return special
	}
	if group == "apiextensions.k8s.io" || group == "apiregistration.k8s.io" {
		return group + "/" + resource
	}
	return resource
}

func lifecycle(scheme *runtime.Scheme, kind schema.GroupVersionKind, one *resourceFacts) {
	object, err := scheme.New(kind)
	must(err)
	if d, ok := object.(interface{ APILifecycleIntroduced() (int, int) }); ok {
		major, minor := d.APILifecycleIntroduced()
		one.Introduced = fmt.Sprintf("%d.%d", major, minor)
	}
	if d, ok := object.(interface{ APILifecycleDeprecated() (int, int) }); ok {
		major, minor := d.APILifecycleDeprecated()
		one.Deprecated = fmt.Sprintf("%d.%d", major, minor)
	}
	if d, ok := object.(interface{ APILifecycleRemoved() (int, int) }); ok {
		major, minor := d.APILifecycleRemoved()
		one.Removed = fmt.Sprintf("%d.%d", major, minor)
	}
	if d, ok := object.(interface {
		APILifecycleReplacement() schema.GroupVersionKind
	}); ok {
		r := d.APILifecycleReplacement()
		one.Replacement = fmt.Sprintf("%s/%s %s", r.Group, r.Version, r.Kind)
	}
}

// candidateLabels are the field paths that some kind might be selected by: scalars up to three levels deep, and names
// that no field has.
func candidateLabels(types *typeSet) []string {
	seen := map[string]bool{"spec.host": true, "source": true, "status.successful": true}
	for t := range types.structs {
		if _, top := t.FieldByName("TypeMeta"); top {
			paths(t, "", 0, seen)
		}
	}
	return sortedKeys(seen)
}

func paths(t reflect.Type, prefix string, depth int, into map[string]bool) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		inner := indirect(f.Type)
		if name == "" && f.Anonymous && inner.Kind() == reflect.Struct {
			paths(inner, prefix, depth, into)
			continue
		}
		into[prefix+name] = true
		if inner.Kind() == reflect.Struct && depth < 2 {
			paths(inner, prefix+name+".", depth+1, into)
		}
	}
}

func selectable(scheme *runtime.Scheme, kind schema.GroupVersionKind, labels []string) []string {
	accepted := []string{}
	for _, label := range labels {
		if _, _, err := scheme.ConvertFieldLabel(kind, label, ""); err == nil {
			accepted = append(accepted, label)
		}
	}
	return accepted
}

// Records what upstream's matcher of admission policies says of random match resources and requests, with a fixed seed.
//
//	cd test/recorders && go run ./admission-matching > ../../shared/admission/matching/testdata/matches.json
package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"

	v1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/matching"
	"k8s.io/client-go/kubernetes/fake"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

type request struct {
	Operation   string            `json:"operation"`
	Group       string            `json:"group"`
	Version     string            `json:"version"`
	Resource    string            `json:"resource"`
	Subresource string            `json:"subresource"`
	Namespace   string            `json:"namespace"`
	Name        string            `json:"name"`
	Labels      map[string]string `json:"labels,omitempty"`
	OldLabels   map[string]string `json:"oldLabels,omitempty"`
	HasObject   bool              `json:"hasObject"`
	HasOld      bool              `json:"hasOld"`
}

type recorded struct {
	Criteria v1.MatchResources `json:"criteria"`
	Request  request           `json:"request"`
	Matches  bool              `json:"matches"`
	Version  string            `json:"version,omitempty"`
	Kind     string            `json:"kind,omitempty"`
	Error    string            `json:"error,omitempty"`
}

type criteria struct{ resources v1.MatchResources }

func (c criteria) GetParsedNamespaceSelector() (labels.Selector, error) {
	return metav1.LabelSelectorAsSelector(c.resources.NamespaceSelector)
}

func (c criteria) GetParsedObjectSelector() (labels.Selector, error) {
	return metav1.LabelSelectorAsSelector(c.resources.ObjectSelector)
}

func (c criteria) GetMatchResources() v1.MatchResources { return c.resources }

var random = rand.New(rand.NewSource(47))

func pick[T any](items ...T) T { return items[random.Intn(len(items))] }

func some(items ...string) []string {
	var chosen []string
	for _, item := range items {
		if random.Intn(len(items)) < 2 {
			chosen = append(chosen, item)
		}
	}
	if len(chosen) == 0 {
		return []string{pick(items...)}
	}
	return chosen
}

func rule(withNames bool) v1.NamedRuleWithOperations {
	scope := pick(v1.AllScopes, v1.NamespacedScope, v1.ClusterScope)
	r := v1.NamedRuleWithOperations{RuleWithOperations: v1.RuleWithOperations{
		Operations: pick([]v1.OperationType{"*"}, []v1.OperationType{"CREATE", "UPDATE"}, []v1.OperationType{"DELETE"}, []v1.OperationType{"CONNECT", "CREATE"}),
		Rule: v1.Rule{
			APIGroups:   pick([]string{"*"}, some("", "example.com", "other.com")),
			APIVersions: pick([]string{"*"}, some("v1", "v1beta1", "v2")),
			Resources:   pick([]string{"*"}, []string{"*/*"}, some("pods", "pods/*", "*/status", "namespaces", "widgets", "widgets/scale", "widgets/status")),
			Scope:       &scope,
		},
	}}
	if random.Intn(4) == 0 {
		r.Scope = nil
	}
	if withNames && random.Intn(4) == 0 {
		r.ResourceNames = some("a", "b")
	}
	return r
}

func selector() *metav1.LabelSelector {
	return pick(
		&metav1.LabelSelector{}, &metav1.LabelSelector{}, &metav1.LabelSelector{}, nil,
		&metav1.LabelSelector{MatchLabels: map[string]string{"a": "1"}},
		&metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "a", Operator: metav1.LabelSelectorOpDoesNotExist}}},
		&metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "a", Operator: metav1.LabelSelectorOpNotIn, Values: []string{"2"}}}},
		&metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "a", Operator: "Odd"}}},
	)
}

func matchResources() v1.MatchResources {
	policy := pick(v1.Exact, v1.Equivalent, v1.Equivalent)
	m := v1.MatchResources{NamespaceSelector: selector(), ObjectSelector: selector(), MatchPolicy: &policy}
	for range random.Intn(4) {
		m.ResourceRules = append(m.ResourceRules, rule(true))
	}
	if random.Intn(4) == 0 {
		m.ExcludeResourceRules = append(m.ExcludeResourceRules, rule(true))
	}
	return m
}

func labelsOf() map[string]string {
	return pick(nil, map[string]string{"a": "1"}, map[string]string{"a": "2"}, map[string]string{"b": "1"})
}

func randomRequest() request {
	operation := pick("CREATE", "UPDATE", "DELETE", "CONNECT")
	r := request{Operation: operation, Name: pick("a", "b", "c"), Namespace: pick("labeled", "other", "missing")}
	switch random.Intn(4) {
	case 0:
		r.Version, r.Resource, r.Subresource = "v1", "pods", pick("", "", "status")
	case 1:
		r.Version, r.Resource = "v1", "namespaces"
		r.Namespace = r.Name
	case 2:
		r.Group, r.Version, r.Resource, r.Subresource = "example.com", pick("v1", "v1beta1", "v2"), "widgets", pick("", "", "status", "scale")
	default:
		r.Group, r.Version, r.Resource, r.Namespace = "example.com", "v1", "clusterwidgets", ""
	}
	if operation != "DELETE" {
		r.HasObject, r.Labels = true, labelsOf()
	}
	if operation == "UPDATE" || operation == "DELETE" {
		r.HasOld, r.OldLabels = true, labelsOf()
	}
	return r
}

func kindOf(resource, subresource string) schema.GroupVersionKind {
	if subresource == "scale" {
		return schema.GroupVersionKind{Group: "autoscaling", Version: "v1", Kind: "Scale"}
	}
	return schema.GroupVersionKind{Kind: map[string]string{"pods": "Pod", "namespaces": "Namespace", "widgets": "Widget", "clusterwidgets": "ClusterWidget"}[resource]}
}

func (r request) attributes() admission.Attributes {
	kind := kindOf(r.Resource, r.Subresource)
	if kind.Version == "" {
		kind.Group, kind.Version = r.Group, r.Version
	}
	var object, old runtime.Object
	if r.HasObject {
		object = &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Labels: r.Labels}}
	}
	if r.HasOld {
		old = &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Labels: r.OldLabels}}
	}
	return admission.NewAttributesRecord(object, old, kind, r.Namespace, r.Name,
		schema.GroupVersionResource{Group: r.Group, Version: r.Version, Resource: r.Resource}, r.Subresource,
		admission.Operation(r.Operation), nil, false, nil)
}

func interfaces() admission.ObjectInterfaces {
	registry := runtime.NewEquivalentResourceRegistry()
	for _, version := range []string{"v2", "v1", "v1beta1"} {
		resource := schema.GroupVersionResource{Group: "example.com", Version: version, Resource: "widgets"}
		kind := schema.GroupVersionKind{Group: "example.com", Version: version, Kind: "Widget"}
		registry.RegisterKindFor(resource, "", kind)
		registry.RegisterKindFor(resource, "status", kind)
		if version != "v1beta1" {
			registry.RegisterKindFor(resource, "scale", kindOf("widgets", "scale"))
		}
	}
	return &admission.RuntimeObjectInterfaces{EquivalentResourceMapper: registry}
}

func main() {
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})
	for name, set := range map[string]map[string]string{"labeled": {"a": "1"}, "other": {"a": "2"}, "a": {"a": "1"}, "b": {}} {
		_ = indexer.Add(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: set}})
	}
	matcher := matching.NewMatcher(listers.NewNamespaceLister(indexer), fake.NewClientset())
	objectInterfaces := interfaces()
	matches := 0
	var lines []recorded
	for len(lines) < 300 {
		line := recorded{Criteria: matchResources(), Request: randomRequest()}
		isMatch, resource, kind, err := matcher.Matches(line.Request.attributes(), objectInterfaces, criteria{line.Criteria})
		line.Matches = isMatch
		if err != nil {
			line.Error = err.Error()
		} else if isMatch {
			line.Version, line.Kind = resource.Version, kind.String()
		}
		// As many that match as others.
		if isMatch || err != nil {
			matches++
		} else if len(lines) > 2*matches {
			continue
		}
		lines = append(lines, line)
	}
	fmt.Print("[\n")
	for i, line := range lines {
		text, err := json.Marshal(line)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		comma := ","
		if i == len(lines)-1 {
			comma = ""
		}
		fmt.Printf("%s%s\n", text, comma)
	}
	fmt.Print("]\n")
}

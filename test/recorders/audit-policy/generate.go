package main

import (
	"math/rand"

	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"
)

var (
	users      = []string{"anna", "system:admin", "system:serviceaccount:a:b", ""}
	groups     = []string{"system:masters", "system:authenticated", "devs", "system:unauthenticated"}
	verbs      = []string{"get", "list", "watch", "create", "update", "delete", "*"}
	apiGroups  = []string{"", "apps", "*", "example.com"}
	resources  = []string{"pods", "pods/log", "pods/*", "*", "*/log", "*/scale", "deployments", "deployments/scale", "*/*", "pods/", "/log", "/*"}
	names      = []string{"a", "b", ""}
	namespaces = []string{"default", "kube-system", "", "*"}
	urls       = []string{"/healthz", "/healthz*", "/api/*", "*", "/", "/version", "/*", "/api"}
	paths      = []string{"/healthz", "/healthz/etcd", "/api", "/api/", "/api/v1", "/version", "/", "/metrics", "/*"}
	levels     = []auditv1.Level{auditv1.LevelNone, auditv1.LevelMetadata, auditv1.LevelRequest, auditv1.LevelRequestResponse}
	stages     = []auditv1.Stage{auditv1.StageRequestReceived, auditv1.StageResponseStarted, auditv1.StageResponseComplete, auditv1.StagePanic}
)

func one[T any](random *rand.Rand, from []T) T {
	return from[random.Intn(len(from))]
}

// some returns nothing in two of three cases, and up to three entries otherwise.
func some[T any](random *rand.Rand, from []T) []T {
	if random.Intn(3) > 0 {
		return nil
	}
	var chosen []T
	for range 1 + random.Intn(3) {
		chosen = append(chosen, one(random, from))
	}
	return chosen
}

func flag(random *rand.Rand) *bool {
	value := random.Intn(2) == 0
	if random.Intn(2) == 0 {
		return nil
	}
	return &value
}

func randomPolicy(random *rand.Rand) auditv1.Policy {
	p := auditv1.Policy{OmitStages: some(random, stages), OmitManagedFields: random.Intn(2) == 0}
	p.APIVersion, p.Kind = "audit.k8s.io/v1", "Policy"
	for range 1 + random.Intn(5) {
		rule := auditv1.PolicyRule{
			Level:             one(random, levels),
			Users:             some(random, users),
			UserGroups:        some(random, groups),
			Verbs:             some(random, verbs),
			OmitStages:        some(random, stages),
			OmitManagedFields: flag(random),
		}
		if random.Intn(3) == 0 {
			rule.NonResourceURLs = some(random, urls)
		} else {
			rule.Namespaces = some(random, namespaces)
			for range random.Intn(3) {
				rule.Resources = append(rule.Resources, randomResources(random))
			}
		}
		p.Rules = append(p.Rules, rule)
	}
	return p
}

func randomResources(random *rand.Rand) auditv1.GroupResources {
	chosen := auditv1.GroupResources{Group: one(random, apiGroups), Resources: some(random, resources)}
	if len(chosen.Resources) > 0 {
		chosen.ResourceNames = some(random, names)
	}
	return chosen
}

func requests(random *rand.Rand) []request {
	var result []request
	for range 120 {
		r := request{User: one(random, users), Groups: some(random, groups), Verb: one(random, verbs)}
		if r.Groups == nil {
			r.Groups = []string{}
		}
		if random.Intn(3) == 0 {
			r.Path = one(random, paths)
		} else {
			r.IsResourceRequest = true
			r.Group = one(random, []string{"", "apps", "example.com"})
			r.Resource = one(random, []string{"pods", "deployments", "widgets"})
			r.Subresource = one(random, []string{"", "log", "scale"})
			r.Namespace = one(random, namespaces)
			r.Name = one(random, names)
			r.Path = "/api/v1/" + r.Resource
		}
		result = append(result, r)
	}
	return result
}

package main

import (
	"encoding/json"
	"strings"

	flowcontrol "k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap"
	scheduling "k8s.io/kubernetes/pkg/apis/scheduling/v1"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac/bootstrappolicy"
)

// writeBootstrap writes the objects that a server creates at its start. Items that depend on feature gates are written
// with these gates.
func writeBootstrap(out string) {
	lines := func(items []any) string { return objectLines(stripAll(items)) }
	rbac := gatedDocument(rbacPolicy)
	write(out, "bootstrap/rbac.json", "{\n"+
		"\"clusterRoles\": "+objectLines(rbac["clusterRoles"].([]*gatedItem))+",\n"+
		"\"clusterRoleBindings\": "+objectLines(rbac["clusterRoleBindings"].([]*gatedItem))+",\n"+
		"\"roles\": "+objectLines(rbac["roles"].([]*gatedItem))+",\n"+
		"\"roleBindings\": "+objectLines(rbac["roleBindings"].([]*gatedItem))+",\n"+
		"\"clusterRolesToAggregate\": "+block(bootstrappolicy.ClusterRolesToAggregate())+"\n}\n")
	write(out, "bootstrap/flowcontrol.json", "{\n"+
		"\"mandatoryPriorityLevels\": "+lines(list(flowcontrol.MandatoryPriorityLevelConfigurations))+",\n"+
		"\"suggestedPriorityLevels\": "+lines(list(flowcontrol.SuggestedPriorityLevelConfigurations))+",\n"+
		"\"mandatoryFlowSchemas\": "+lines(list(flowcontrol.MandatoryFlowSchemas))+",\n"+
		"\"suggestedFlowSchemas\": "+lines(list(flowcontrol.SuggestedFlowSchemas))+"\n}\n")
	write(out, "bootstrap/priorityclasses.json", "{\n\"priorityClasses\": "+lines(list(scheduling.SystemPriorityClasses()))+"\n}\n")
}

// rbacPolicy is the policy as of the gates in force, by kind.
func rbacPolicy() any {
	roles, bindings := []any{}, []any{}
	for _, namespace := range sortedKeys(bootstrappolicy.NamespaceRoles()) {
		roles = append(roles, list(bootstrappolicy.NamespaceRoles()[namespace])...)
	}
	for _, namespace := range sortedKeys(bootstrappolicy.NamespaceRoleBindings()) {
		bindings = append(bindings, list(bootstrappolicy.NamespaceRoleBindings()[namespace])...)
	}
	return map[string]any{
		"clusterRoles":        stripAll(append(list(bootstrappolicy.ClusterRoles()), list(bootstrappolicy.ControllerRoles())...)),
		"clusterRoleBindings": stripAll(append(list(bootstrappolicy.ClusterRoleBindings()), list(bootstrappolicy.ControllerRoleBindings())...)),
		"roles":               stripAll(roles),
		"roleBindings":        stripAll(bindings),
	}
}

// objectLines is a list with a line for each object.
func objectLines[T any](items []T) string {
	text := []string{}
	for _, item := range items {
		text = append(text, compact(item))
	}
	return "[\n" + strings.Join(text, ",\n") + "\n]"
}

func stripAll(objects []any) []any {
	out := make([]any, len(objects))
	for i, object := range objects {
		out[i] = strip(object)
	}
	return out
}

func list[T any](items []T) []any {
	out := make([]any, len(items))
	for i, item := range items {
		out[i] = item
	}
	return out
}

// strip drops members that are empty in every object: an empty status, a null timestamp.
func strip(object any) any {
	raw, err := json.Marshal(object)
	must(err)
	var m map[string]any
	must(json.Unmarshal(raw, &m))
	if meta, ok := m["metadata"].(map[string]any); ok && meta["creationTimestamp"] == nil {
		delete(meta, "creationTimestamp")
	}
	if status, ok := m["status"].(map[string]any); ok && len(status) == 0 {
		delete(m, "status")
	}
	return m
}

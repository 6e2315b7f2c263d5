// Package recording writes down what upstream's tests of authorizers ask and what they are answered. This
// file describes it, and ../../recording has the lines; record.sh adds both to a copy of k8s.io/apiserver as
// pkg/authorization/recording.
package recording

import (
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// User describes a user.
func User(u user.Info) any {
	if u == nil {
		return nil
	}
	return map[string]any{"name": u.GetName(), "uid": u.GetUID(), "groups": u.GetGroups(), "extra": u.GetExtra()}
}

// Attributes describes a question to an authorizer.
func Attributes(a authorizer.Attributes) map[string]any {
	line := map[string]any{
		"user": User(a.GetUser()), "verb": a.GetVerb(), "namespace": a.GetNamespace(), "apiGroup": a.GetAPIGroup(),
		"apiVersion": a.GetAPIVersion(), "resource": a.GetResource(), "subresource": a.GetSubresource(),
		"name": a.GetName(), "path": a.GetPath(), "resourceRequest": a.IsResourceRequest(),
	}
	if requirements, _ := a.GetFieldSelector(); len(requirements) > 0 {
		terms := []any{}
		for _, r := range requirements {
			terms = append(terms, map[string]any{"field": r.Field, "operator": string(r.Operator), "value": r.Value})
		}
		line["fields"] = terms
	}
	if requirements, _ := a.GetLabelSelector(); len(requirements) > 0 {
		terms := []any{}
		for _, r := range requirements {
			terms = append(terms, map[string]any{"key": r.Key(), "operator": string(r.Operator()), "values": r.ValuesUnsorted()})
		}
		line["labels"] = terms
	}
	return line
}

// Text is the text of an error; nil for none.
func Text(err error) any {
	if err == nil {
		return nil
	}
	return err.Error()
}

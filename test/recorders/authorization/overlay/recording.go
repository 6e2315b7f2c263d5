// Package recording writes down, as JSON lines in $AUTHORIZATION_RECORDING, what upstream's tests of authorizers ask and what
// they are answered. record.sh adds it to a copy of k8s.io/apiserver as pkg/authorization/recording.
package recording

import (
	"encoding/json"
	"os"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
)

var lock sync.Mutex

// Line adds a line to a table.
func Line(table string, line map[string]any) {
	line["table"] = table
	text, err := json.Marshal(line)
	if err != nil {
		panic(err)
	}
	lock.Lock()
	defer lock.Unlock()
	out, err := os.OpenFile(os.Getenv("AUTHORIZATION_RECORDING"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		panic(err)
	}
	defer out.Close()
	if _, err := out.Write(append(text, '\n')); err != nil {
		panic(err)
	}
}

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

// Texts are the texts of errors of fields.
func Texts(errors field.ErrorList) []string {
	texts := []string{}
	for _, err := range errors {
		texts = append(texts, err.Error())
	}
	return texts
}

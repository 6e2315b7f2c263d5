package abac

// Records what the tests' policy files hold and allow. record.sh gives upstream's functions the suffix Unrecorded.

import (
	"context"
	"os"

	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/authorization/recording"
	"k8s.io/kubernetes/pkg/apis/abac"
)

// By the first policy of a list: the file that it was read from.
var read = map[*abac.Policy]string{}
var withinAuthorize = false

func NewFromFile(path string) (PolicyList, error) {
	list, err := newFromFileUnrecorded(path)
	contents, _ := os.ReadFile(path)
	line := map[string]any{"contents": string(contents), "error": recording.Text(err)}
	if err == nil {
		specs := []any{}
		for _, p := range list {
			specs = append(specs, spec(*p))
		}
		line["policies"] = specs
		if len(list) > 0 {
			read[list[0]] = string(contents)
		}
	}
	recording.Line("abac-files", line)
	return list, err
}

func spec(p abac.Policy) map[string]any {
	s := p.Spec
	return map[string]any{
		"user": s.User, "group": s.Group, "readonly": s.Readonly, "apiGroup": s.APIGroup, "resource": s.Resource,
		"namespace": s.Namespace, "nonResourcePath": s.NonResourcePath,
	}
}

func (pl PolicyList) Authorize(ctx context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
	withinAuthorize = true
	decision, reason, err := pl.authorizeUnrecorded(ctx, a)
	withinAuthorize = false
	recording.Line("abac-decisions", map[string]any{
		"contents": read[pl[0]], "attributes": recording.Attributes(a), "decision": decision.String(), "reason": reason,
	})
	return decision, reason, err
}

func (pl PolicyList) RulesFor(ctx context.Context, u user.Info, namespace string) ([]authorizer.ResourceRuleInfo, []authorizer.NonResourceRuleInfo, bool, error) {
	resources, others, incomplete, err := pl.rulesForUnrecorded(ctx, u, namespace)
	recording.Line("abac-rules", map[string]any{
		"contents": read[pl[0]], "user": recording.User(u), "namespace": namespace,
		"resourceRules": resources, "nonResourceRules": others, "incomplete": incomplete,
	})
	return resources, others, incomplete, err
}

func matches(p abac.Policy, a authorizer.Attributes) bool {
	matched := matchesUnrecorded(p, a)
	if !withinAuthorize {
		recording.Line("abac-matches", map[string]any{"policy": spec(p), "attributes": recording.Attributes(a), "matches": matched})
	}
	return matched
}

// Added to a copy of k8s.io/apiserver/pkg/cel/library (record.sh).
package library

import (
	"github.com/google/cel-go/cel"

	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// recordedDecision is newDecision, and keeps what was asked and answered for the line of the evaluation.
func recordedDecision(attr *authorizer.AttributesRecord, decision authorizer.Decision, err error, reason string) decisionVal {
	asked := map[string]any{"verb": attr.Verb}
	if attr.User != nil {
		asked["user"] = attr.User.GetName()
	}
	if attr.ResourceRequest {
		asked["group"], asked["resource"], asked["subresource"] = attr.APIGroup, attr.Resource, attr.Subresource
		asked["namespace"], asked["name"] = attr.Namespace, attr.Name
		asked["fieldSelector"], asked["labelSelector"] = attr.FieldSelectorRequirements, attr.LabelSelectorRequirements
	} else {
		asked["path"] = attr.Path
	}
	answer := map[string]any{"asked": asked, "decision": decision, "reason": reason}
	if err != nil {
		answer["error"] = err.Error()
	}
	cel.RecordDecision(answer)
	return newDecision(decision, err, reason)
}

package validating

// Records what a policy decides by the outcomes of its expressions. record.sh gives upstream's Validate the suffix Unrecorded.

import (
	"context"
	"strings"

	celtypes "github.com/google/cel-go/common/types"
	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	"k8s.io/apiserver/pkg/admission/recording"
	"k8s.io/apiserver/pkg/authorization/authorizer"
)

type recordingEvaluator struct {
	cel.ConditionEvaluator
	outcomes []any
	err      error
}

func (e *recordingEvaluator) ForInput(ctx context.Context, versionedAttr *admission.VersionedAttributes, request *admissionv1.AdmissionRequest, vars cel.OptionalVariableBindings, namespace *corev1.Namespace, budget int64) ([]cel.EvaluationResult, int64, error) {
	results, left, err := e.ConditionEvaluator.ForInput(ctx, versionedAttr, request, vars, namespace, budget)
	e.outcomes, e.err = []any{}, err
	for _, result := range results {
		e.outcomes = append(e.outcomes, outcomeOf(result))
	}
	return results, left, err
}

func outcomeOf(result cel.EvaluationResult) any {
	line := map[string]any{}
	switch accessor := result.ExpressionAccessor.(type) {
	case *ValidationCondition:
		line["expression"], line["message"], line["reason"] = accessor.Expression, accessor.Message, accessor.Reason
	case *AuditAnnotationCondition:
		line["key"], line["expression"] = accessor.Key, accessor.ValueExpression
	}
	switch {
	case result.Error != nil:
		line["error"] = result.Error.Error()
	case result.EvalResult == nil:
		return nil
	case result.EvalResult == celtypes.NullValue:
		line["value"] = nil
	default:
		line["value"] = result.EvalResult.Value()
	}
	return line
}

type recordingConditions struct {
	matchconditions.Matcher
	result matchconditions.MatchResult
}

func (m *recordingConditions) Match(ctx context.Context, versionedAttr *admission.VersionedAttributes, params runtime.Object, authz authorizer.Authorizer) matchconditions.MatchResult {
	m.result = m.Matcher.Match(ctx, versionedAttr, params, authz)
	return m.result
}

func (v *validator) Validate(ctx context.Context, matchedResource schema.GroupVersionResource, versionedAttr *admission.VersionedAttributes, params runtime.Object, namespace *corev1.Namespace, budget int64, authz authorizer.Authorizer) ValidateResult {
	conditions := &recordingConditions{Matcher: v.celMatcher}
	filters := map[string]*recordingEvaluator{"validations": {ConditionEvaluator: v.validationFilter}, "messages": {ConditionEvaluator: v.messageFilter}, "auditAnnotations": {ConditionEvaluator: v.auditAnnotationFilter}}
	inner := &validator{celMatcher: conditions, failPolicy: v.failPolicy, compileError: v.compileError,
		validationFilter: filters["validations"], messageFilter: filters["messages"], auditAnnotationFilter: filters["auditAnnotations"]}
	result := inner.validateUnrecorded(ctx, matchedResource, versionedAttr, params, namespace, budget, authz)
	line := map[string]any{"failurePolicy": v.failPolicy, "result": recordedResult(result), "matches": conditions.result.Matches}
	if conditions.result.Error != nil {
		line["matchError"] = conditions.result.Error.Error()
	}
	for name, filter := range filters {
		line[name] = filter.outcomes
		if filter.err == nil {
			continue
		}
		// An evaluation fails as a whole by its budget; other errors are a fake's.
		if !strings.Contains(filter.err.Error(), "running out of cost budget") {
			return result
		}
		line["exceeded"] = name
	}
	// Go's contexts can be cancelled.
	if !strings.Contains(string(recording.Plain(line)), "operation interrupted") {
		recording.Line("validator", line)
	}
	return result
}

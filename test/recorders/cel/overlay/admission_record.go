// Added to a copy of k8s.io/apiserver/pkg/admission/plugin/cel (record.sh).
package cel

import (
	"context"
	"sort"

	celgo "github.com/google/cel-go/cel"

	admissionv1 "k8s.io/api/admission/v1"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/cel/environment"
)

// CompileCELExpression is upstream's, and writes down what it was given and what it said.
func (c compiler) CompileCELExpression(expressionAccessor ExpressionAccessor, options OptionalVariableDeclarations, envType environment.Type) CompilationResult {
	result := c.compileCELExpression(expressionAccessor, options, envType)
	returns := []string{}
	for _, each := range expressionAccessor.ReturnTypes() {
		returns = append(returns, celgo.FormatCELType(each))
	}
	line := map[string]any{
		"kind": "compile-condition", "text": expressionAccessor.GetExpression(), "returns": returns, "stored": envType == environment.StoredExpressions,
		"params": options.HasParams, "authorizer": options.HasAuthorizer, "patchTypes": options.HasPatchTypes,
	}
	if result.Error != nil {
		line["error"] = []string{string(result.Error.Type), result.Error.Detail}
	} else {
		line["type"] = celgo.FormatCELType(result.OutputType)
	}
	celgo.Record(line)
	return result
}

// ForInput is upstream's, and writes down variables, budget and outcome.
func (c *condition) ForInput(ctx context.Context, versionedAttr *admission.VersionedAttributes, request *admissionv1.AdmissionRequest, inputs OptionalVariableBindings, namespace *v1.Namespace, budget int64) ([]EvaluationResult, int64, error) {
	results, left, err := c.forInput(ctx, versionedAttr, request, inputs, namespace, budget)
	line := map[string]any{"kind": "conditions", "budget": budget, "left": left}
	texts := []string{}
	for _, each := range c.compilationResults {
		if each.ExpressionAccessor == nil {
			texts = append(texts, "")
		} else {
			texts = append(texts, each.ExpressionAccessor.GetExpression())
		}
	}
	line["texts"] = texts
	if composition, ok := ctx.(*compositionContext); ok {
		names := []string{}
		for name := range composition.state.compiledVariables {
			names = append(names, name)
		}
		sort.Strings(names)
		variables := [][]string{}
		for _, name := range names {
			variables = append(variables, []string{name, composition.state.compiledVariables[name].ExpressionAccessor.GetExpression()})
		}
		line["variables"] = variables
	}
	if activation, failed := newActivation(nil, versionedAttr, request, inputs, namespace); failed == nil {
		line["object"], line["oldObject"], line["params"] = activation.object, activation.oldObject, activation.params
		line["request"], line["namespaceObject"] = activation.request, activation.namespace
		line["authorizer"] = activation.authorizer != nil
	}
	if err != nil {
		line["error"] = err.Error()
	} else {
		outcomes := []any{}
		for _, each := range results {
			if each.Error != nil {
				outcomes = append(outcomes, map[string]any{"error": each.Error.Error()})
			} else {
				outcomes = append(outcomes, map[string]any{"value": celgo.RecordedValue(each.EvalResult)})
			}
		}
		line["outcomes"] = outcomes
	}
	celgo.Record(line)
	return results, left, err
}

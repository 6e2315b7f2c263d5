// Added to a copy of k8s.io/apiserver/pkg/authorization/cel (record.sh).
package cel

import (
	"context"

	celgo "github.com/google/cel-go/cel"

	authorizationv1 "k8s.io/api/authorization/v1"
	apiservercel "k8s.io/apiserver/pkg/cel"
)

// CompileCELExpression is upstream's, and writes down what it was given and what it said.
func (c compiler) CompileCELExpression(expressionAccessor ExpressionAccessor) (CompilationResult, error) {
	result, err := c.compileUnrecorded(expressionAccessor)
	returns := []string{}
	for _, each := range expressionAccessor.ReturnTypes() {
		returns = append(returns, celgo.FormatCELType(each))
	}
	line := map[string]any{"kind": "compile-authorization", "text": expressionAccessor.GetExpression(), "returns": returns}
	if err != nil {
		said := err.(*apiservercel.Error)
		line["error"] = []string{string(said.Type), said.Detail}
	} else {
		line["uses"] = map[string]bool{"fieldSelector": result.UsesFieldSelector, "labelSelector": result.UsesLabelSelector}
	}
	celgo.Record(line)
	return result, err
}

// Eval is upstream's, and writes down review and outcome.
func (c *CELMatcher) Eval(ctx context.Context, r *authorizationv1.SubjectAccessReview) (bool, error) {
	matches, err := c.evalUnrecorded(ctx, r)
	texts := []string{}
	for _, each := range c.CompilationResults {
		texts = append(texts, each.ExpressionAccessor.GetExpression())
	}
	line := map[string]any{"kind": "match", "texts": texts, "spec": r.Spec, "matches": matches}
	if err != nil {
		line["error"] = err.Error()
	}
	celgo.Record(line)
	return matches, err
}

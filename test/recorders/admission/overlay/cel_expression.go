package cel

// ExpressionOf is the text of a compiled mutation.
func ExpressionOf(evaluator MutatingEvaluator) string {
	if composited, ok := evaluator.(*CompositedEvaluator); ok {
		evaluator = composited.MutatingEvaluator
	}
	return evaluator.(*mutatingEvaluator).compilationResult.ExpressionAccessor.GetExpression()
}

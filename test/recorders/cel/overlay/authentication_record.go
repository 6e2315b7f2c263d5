// Added to a copy of k8s.io/apiserver/pkg/authentication/cel (record.sh).
package cel

import (
	celgo "github.com/google/cel-go/cel"

	apiservercel "k8s.io/apiserver/pkg/cel"
)

func (c compiler) compile(expressionAccessor ExpressionAccessor, variable string) (CompilationResult, error) {
	result, err := c.compileUnrecorded(expressionAccessor, variable)
	returns := []string{}
	for _, each := range expressionAccessor.ReturnTypes() {
		returns = append(returns, celgo.FormatCELType(each))
	}
	line := map[string]any{"kind": "compile-mapping", "text": expressionAccessor.GetExpression(), "variable": variable, "returns": returns}
	if err != nil {
		said := err.(*apiservercel.Error)
		line["error"] = []string{string(said.Type), said.Detail}
	} else {
		line["type"] = celgo.FormatCELType(result.AST.OutputType())
	}
	celgo.Record(line)
	return result, err
}

// Added to a copy of k8s.io/dynamic-resource-allocation/cel (record.sh).
package cel

import (
	"context"
	"strconv"

	"github.com/google/cel-go/cel"

	"k8s.io/apiserver/pkg/cel/environment"
)

// CompileCELExpression is upstream's, and writes down what it was given and what it said.
func (c compiler) CompileCELExpression(expression string, options Options) CompilationResult {
	result := c.compileUnrecorded(expression, options)
	line := map[string]any{
		"kind": "compile-device", "text": expression, "cost": strconv.FormatUint(result.MaxCost, 10),
		"stored":   options.EnvType == nil || *options.EnvType == environment.StoredExpressions,
		"estimate": !options.DisableCostEstimation,
		"gates":    map[string]bool{"DRAConsumableCapacity": c.features.EnableConsumableCapacity, "DRAListTypeAttributes": c.features.EnableListTypeAttributes},
	}
	if options.CostLimit != nil {
		line["limit"] = strconv.FormatUint(*options.CostLimit, 10)
	}
	if result.Error != nil {
		line["error"] = []string{string(result.Error.Type), result.Error.Detail}
	} else {
		line["type"] = cel.FormatCELType(result.OutputType)
	}
	cel.Record(line)
	return result
}

// DeviceMatches is upstream's, and writes down device and outcome.
func (c CompilationResult) DeviceMatches(ctx context.Context, input Device) (bool, *cel.EvalDetails, error) {
	matches, details, err := c.matchesUnrecorded(ctx, input)
	line := map[string]any{
		"kind": "device", "text": c.Expression, "matches": matches, "device": input,
		"gates": map[string]bool{"DRAConsumableCapacity": c.features.EnableConsumableCapacity, "DRAListTypeAttributes": c.features.EnableListTypeAttributes},
	}
	if details != nil && details.ActualCost() != nil {
		line["cost"] = strconv.FormatUint(*details.ActualCost(), 10)
	}
	if err != nil {
		line["error"] = err.Error()
	}
	cel.Record(line)
	return matches, details, err
}

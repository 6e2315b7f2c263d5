package patch

// Records the mutations that the tests of the package, and those of the package above with patches in place of expressions, apply.
// record.sh gives the methods and the function of upstream the suffix Unrecorded.

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/recording"
)

// Record writes down one mutation of a policy with this spec.
func Record(spec any, r Request, before any, patched runtime.Object, err error) {
	line := map[string]any{"spec": spec, "attributes": recording.Attributes(r.VersionedAttributes, nil), "error": recording.Answer(err)}
	line["attributes"].(map[string]any)["object"] = before
	if r.OptionalVariables.VersionedParams != nil {
		line["params"] = r.OptionalVariables.VersionedParams
	}
	if r.Namespace != nil {
		line["namespace"] = r.Namespace
	}
	if err == nil {
		line["patched"] = patched
	}
	recording.Line("mutations", line)
}

func recordAlone(patchType, field, expression string, r Request, before any, patched runtime.Object, err error) {
	if !recording.In("patch") {
		return
	}
	mutation := map[string]any{"patchType": patchType, field: map[string]any{"expression": expression}}
	Record(map[string]any{"mutations": []any{mutation}}, r, before, patched, err)
}

func (e *jsonPatcher) Patch(ctx context.Context, r Request, budget int64) (runtime.Object, error) {
	before := recording.Plain(r.VersionedAttributes.VersionedObject)
	patched, err := e.patchUnrecorded(ctx, r, budget)
	recordAlone("JSONPatch", "jsonPatch", cel.ExpressionOf(e.PatchEvaluator), r, before, patched, err)
	return patched, err
}

func (e *applyConfigPatcher) Patch(ctx context.Context, r Request, budget int64) (runtime.Object, error) {
	before := recording.Plain(r.VersionedAttributes.VersionedObject)
	patched, err := e.patchUnrecorded(ctx, r, budget)
	recordAlone("ApplyConfiguration", "applyConfiguration", cel.ExpressionOf(e.expressionEvaluator), r, before, patched, err)
	return patched, err
}

func ApplyStructuredMergeDiff(converter managedfields.TypeConverter, original runtime.Object, patch *unstructured.Unstructured) (runtime.Object, error) {
	before := recording.Plain(original)
	merged, err := applyStructuredMergeDiffUnrecorded(converter, original, patch)
	recording.Line("merges", map[string]any{"object": before, "patch": patch, "merged": merged, "error": recording.Answer(err)})
	return merged, err
}

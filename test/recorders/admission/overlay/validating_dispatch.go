package validating

// Records each request that the tests of the package dispatch: the policies and bindings with what the test's matcher and
// evaluators answer, and what becomes of it. record.sh gives upstream's Dispatch the suffix Unrecorded.

import (
	"cmp"
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/recording"
	"k8s.io/apiserver/pkg/authorization/authorizer"
)

type recordedHook struct {
	Policy         string `json:"policy"`
	Spec           any    `json:"spec"`
	Matches        bool   `json:"matches"`
	Bindings       []any  `json:"bindings"`
	Error          string `json:"configurationError,omitempty"`
	Params         []any  `json:"params,omitempty"`
	IsNamespaced   bool   `json:"isNamespaced,omitempty"`
	Evaluations    []any  `json:"evaluations,omitempty"`
	matchedBinding map[string]bool
}

type recordingMatcher struct {
	generic.PolicyMatcher
	hooks map[string]*recordedHook
	now   *recordedHook
}

func (m *recordingMatcher) DefinitionMatches(a admission.Attributes, o admission.ObjectInterfaces, definition generic.PolicyAccessor) (bool, schema.GroupVersionResource, schema.GroupVersionKind, error) {
	matches, resource, kind, err := m.PolicyMatcher.DefinitionMatches(a, o, definition)
	m.now = m.hooks[definition.GetName()]
	m.now.Matches = matches
	return matches, resource, kind, err
}

func (m *recordingMatcher) BindingMatches(a admission.Attributes, o admission.ObjectInterfaces, binding generic.BindingAccessor) (bool, error) {
	matches, err := m.PolicyMatcher.BindingMatches(a, o, binding)
	m.now.matchedBinding[binding.GetName()] = matches
	return matches, err
}

type recordingValidator struct {
	Validator
	hook *recordedHook
}

func (v recordingValidator) Validate(ctx context.Context, matchedResource schema.GroupVersionResource, versionedAttr *admission.VersionedAttributes, versionedParams runtime.Object, namespace *corev1.Namespace, budget int64, authz authorizer.Authorizer) ValidateResult {
	p := versionedParams
	if w, ok := versionedParams.(*wrappedParam); ok {
		p = w.nested
	}
	result := v.Validator.Validate(ctx, matchedResource, versionedAttr, versionedParams, namespace, budget, authz)
	v.hook.Evaluations = append(v.hook.Evaluations, map[string]any{"param": nameOf(p), "result": recordedResult(result)})
	return result
}

func nameOf(param runtime.Object) any {
	if param == nil {
		return nil
	}
	accessor, err := meta.Accessor(param)
	if err != nil {
		panic(err)
	}
	return accessor.GetNamespace() + "/" + accessor.GetName()
}

func recordedResult(result ValidateResult) map[string]any {
	decisions, annotations := []any{}, []any{}
	for _, d := range result.Decisions {
		decisions = append(decisions, map[string]any{"denies": d.Action == ActionDeny, "reason": d.Reason, "message": d.Message})
	}
	for _, a := range result.AuditAnnotations {
		switch a.Action {
		case AuditAnnotationActionPublish:
			annotations = append(annotations, map[string]any{"key": a.Key, "value": a.Value})
		case AuditAnnotationActionError:
			annotations = append(annotations, map[string]any{"error": a.Error})
		default:
			annotations = append(annotations, nil)
		}
	}
	return map[string]any{"decisions": decisions, "annotations": annotations}
}

func (c *dispatcher) Dispatch(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces, hooks []PolicyHook) error {
	// Lists of informers have no order.
	hooks = slices.Clone(hooks)
	slices.SortFunc(hooks, func(a, b PolicyHook) int { return cmp.Compare(a.Policy.Name, b.Policy.Name) })
	byName := map[string]*recordedHook{}
	for i := range hooks {
		recorded := &recordedHook{Policy: hooks[i].Policy.Name, Spec: recording.Plain(hooks[i].Policy.Spec), matchedBinding: map[string]bool{}}
		byName[recorded.Policy] = recorded
		hooks[i].Evaluator = recordingValidator{hooks[i].Evaluator, recorded}
		hooks[i].Bindings = slices.Clone(hooks[i].Bindings)
		slices.SortFunc(hooks[i].Bindings, func(a, b *PolicyBinding) int { return cmp.Compare(a.Name, b.Name) })
	}
	noted := &recording.Noted{Attributes: a}
	warned, warnings := recording.WithWarnings(ctx)
	inner := &dispatcher{matcher: &recordingMatcher{PolicyMatcher: c.matcher, hooks: byName}, authz: c.authz}
	err := inner.dispatchUnrecorded(warned, noted, o, hooks)
	lines := []any{}
	for _, hook := range hooks {
		recorded := byName[hook.Policy.Name]
		for _, binding := range hook.Bindings {
			recorded.Bindings = append(recorded.Bindings, map[string]any{"name": binding.Name, "spec": recording.Plain(binding.Spec), "matches": recorded.matchedBinding[binding.Name]})
		}
		if hook.ConfigurationError != nil {
			recorded.Error = hook.ConfigurationError.Error()
		}
		if hook.ParamInformer != nil {
			recorded.addParams(hook)
		}
		lines = append(lines, recorded)
	}
	recording.Line("validating-dispatch", map[string]any{"attributes": recording.Attributes(a, nil), "hooks": lines,
		"error": recording.Answer(err), "warnings": warnings.Texts, "annotations": noted.Annotations()})
	return err
}

func (r *recordedHook) addParams(hook PolicyHook) {
	r.IsNamespaced = hook.ParamScope.Name() == meta.RESTScopeNameNamespace
	found, err := hook.ParamInformer.Lister().List(labels.Everything())
	if err != nil {
		panic(err)
	}
	slices.SortFunc(found, func(a, b runtime.Object) int { return cmp.Compare(nameOf(a).(string), nameOf(b).(string)) })
	for _, param := range found {
		accessor, _ := meta.Accessor(param)
		r.Params = append(r.Params, map[string]any{"namespace": accessor.GetNamespace(), "name": accessor.GetName(), "labels": accessor.GetLabels()})
	}
	slices.SortFunc(r.Evaluations, func(a, b any) int {
		first, _ := a.(map[string]any)["param"].(string)
		second, _ := b.(map[string]any)["param"].(string)
		return cmp.Compare(first, second)
	})
}

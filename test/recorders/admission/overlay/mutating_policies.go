package mutating

// Records the mutations of whole policies, and the requests that are dispatched to policies whose expressions are compiled.
// record.sh gives upstream's functions the suffix Unrecorded.

import (
	"context"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/matching"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	"k8s.io/apiserver/pkg/admission/recording"
	"k8s.io/apiserver/pkg/authorization/authorizer"
)

type recordingPatcher struct {
	patch.Patcher
	spec  v1.MutatingAdmissionPolicySpec
	index int
}

func (p recordingPatcher) Patch(ctx context.Context, r patch.Request, budget int64) (runtime.Object, error) {
	before := recording.Plain(r.VersionedAttributes.VersionedObject)
	patched, err := p.Patcher.Patch(ctx, r, budget)
	spec := p.spec
	spec.Mutations = spec.Mutations[p.index : p.index+1]
	patch.Record(spec, r, before, patched, err)
	return patched, err
}

func compilePolicy(policy *v1.MutatingAdmissionPolicy) PolicyEvaluator {
	evaluator := compilePolicyUnrecorded(policy)
	for i, patcher := range evaluator.Mutators {
		evaluator.Mutators[i] = recordingPatcher{patcher, policy.Spec, i}
	}
	return evaluator
}

type recordingDispatcher struct {
	generic.Dispatcher[PolicyHook]
}

func NewDispatcher(a authorizer.Authorizer, m *matching.Matcher, tcm patch.TypeConverterManager) generic.Dispatcher[PolicyHook] {
	return recordingDispatcher{newDispatcherUnrecorded(a, m, tcm)}
}

func (d recordingDispatcher) Dispatch(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces, hooks []PolicyHook) error {
	line := map[string]any{"attributes": recording.Attributes(a, nil)}
	err := d.Dispatcher.Dispatch(ctx, a, o, hooks)
	policies := []any{}
	for _, hook := range hooks {
		if hook.Evaluator.CompositedCompiler == nil {
			return err
		}
		bindings := []any{}
		for _, binding := range hook.Bindings {
			bindings = append(bindings, map[string]any{"name": binding.Name, "spec": binding.Spec})
		}
		found, listErr := hook.ParamInformer.Lister().List(labels.Everything())
		if listErr != nil {
			panic(listErr)
		}
		policies = append(policies, map[string]any{"policy": hook.Policy.Name, "spec": hook.Policy.Spec, "bindings": bindings,
			"params": found, "isNamespaced": hook.ParamScope.Name() == meta.RESTScopeNameNamespace})
	}
	line["hooks"], line["error"], line["object"] = policies, recording.Answer(err), a.GetObject()
	if versioned, ok := a.(*admission.VersionedAttributes); ok {
		line["object"] = versioned.VersionedObject
	}
	recording.Line("mutating-dispatch", line)
	return err
}

package mutating

// Records the requests that the tests dispatch to webhooks, and the values of annotations. record.sh gives upstream's functions
// the suffix Unrecorded.

import (
	"context"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/webhook"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/generic"
	"k8s.io/apiserver/pkg/admission/recording"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"
)

func (a *mutatingDispatcher) Dispatch(ctx context.Context, attr admission.Attributes, o admission.ObjectInterfaces, hooks []webhook.WebhookAccessor) error {
	line := map[string]any{"kind": "mutating", "attributes": recording.Attributes(attr, nil)}
	webhooks := []any{}
	for _, hook := range hooks {
		line["configuration"] = hook.GetConfigurationName()
		plain, _ := hook.GetMutatingWebhook()
		webhooks = append(webhooks, plain)
	}
	noted := &recording.Noted{Attributes: attr}
	err := a.dispatchUnrecorded(ctx, noted, o, hooks)
	line["webhooks"], line["error"], line["annotations"] = webhooks, recording.Answer(err), noted.Annotations()
	line["isAgainNeeded"], line["object"] = attr.GetReinvocationContext().ShouldReinvoke(), recording.Plain(attr.GetObject())
	recording.Line("webhooks", line)
	return err
}

func (a *mutatingDispatcher) callAttrMutatingHook(ctx context.Context, h *v1.MutatingWebhook, invocation *generic.WebhookInvocation, attr *admission.VersionedAttributes, annotator *webhookAnnotator, o admission.ObjectInterfaces, round, idx int) (bool, error) {
	changed, err := a.callAttrMutatingHookUnrecorded(ctx, h, invocation, attr, annotator, o, round, idx)
	if failed, ok := err.(*webhookutil.ErrCallingWebhook); ok {
		recording.Line("webhook-calls", map[string]any{"client": h.ClientConfig, "error": failed.Reason.Error()})
	}
	return changed, err
}

func mutationAnnotationValue(configuration, webhook string, mutated bool) (string, error) {
	value, err := mutationAnnotationValueUnrecorded(configuration, webhook, mutated)
	recording.Line("annotation-values", map[string]any{"configuration": configuration, "webhook": webhook, "mutated": mutated, "value": value})
	return value, err
}

func jsonPatchAnnotationValue(configuration, webhook string, patch interface{}) (string, error) {
	value, err := jsonPatchAnnotationValueUnrecorded(configuration, webhook, patch)
	recording.Line("annotation-values", map[string]any{"configuration": configuration, "webhook": webhook, "patch": patch, "value": value})
	return value, err
}

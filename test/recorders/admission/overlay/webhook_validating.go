package validating

// Records the requests that the tests dispatch to webhooks. record.sh gives upstream's methods the suffix Unrecorded.

import (
	"context"
	"sync"
	"time"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/webhook"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/generic"
	"k8s.io/apiserver/pkg/admission/recording"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"
)

// Upstream tells the first refusal in time: each webhook of a request waits for those before it.
var places sync.Map

func (d *validatingDispatcher) Dispatch(ctx context.Context, attr admission.Attributes, o admission.ObjectInterfaces, hooks []webhook.WebhookAccessor) error {
	line := map[string]any{"kind": "validating", "attributes": recording.Attributes(attr, nil)}
	webhooks := []any{}
	for _, hook := range hooks {
		line["configuration"] = hook.GetConfigurationName()
		plain, _ := hook.GetValidatingWebhook()
		places.Store(plain, time.Duration(len(webhooks)))
		webhooks = append(webhooks, plain)
	}
	noted := &recording.Noted{Attributes: attr}
	err := d.dispatchUnrecorded(ctx, noted, o, hooks)
	line["webhooks"], line["error"], line["annotations"] = webhooks, recording.Answer(err), noted.Annotations()
	recording.Line("webhooks", line)
	return err
}

func (d *validatingDispatcher) callHook(ctx context.Context, h *v1.ValidatingWebhook, invocation *generic.WebhookInvocation, attr *admission.VersionedAttributes) error {
	place, _ := places.Load(h)
	time.Sleep(place.(time.Duration) * 50 * time.Millisecond)
	err := d.callHookUnrecorded(ctx, h, invocation, attr)
	if failed, ok := err.(*webhookutil.ErrCallingWebhook); ok {
		recording.Line("webhook-calls", map[string]any{"client": h.ClientConfig, "error": failed.Reason.Error()})
	}
	return err
}

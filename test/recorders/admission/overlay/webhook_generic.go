package generic

// Records which requests the tests' webhooks are called for. record.sh gives upstream's ShouldCallHook the suffix Unrecorded.

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/webhook"
	"k8s.io/apiserver/pkg/admission/recording"
)

func (a *Webhook) ShouldCallHook(ctx context.Context, h webhook.WebhookAccessor, attr admission.Attributes, o admission.ObjectInterfaces, v VersionedAttributeAccessor) (*WebhookInvocation, *apierrors.StatusError) {
	if !recording.In("generic") {
		return a.shouldCallHookUnrecorded(ctx, h, attr, o, v)
	}
	hook, _ := h.GetValidatingWebhook()
	invocation, err := a.shouldCallHookUnrecorded(ctx, h, attr, o, v)
	line := map[string]any{"webhook": hook, "attributes": recording.Attributes(attr, o)}
	if err != nil {
		line["error"] = recording.Answer(err)
	}
	if invocation != nil {
		line["match"] = recording.Match(invocation.Resource, invocation.Kind)
	}
	if len(hook.MatchConditions) > 0 {
		result := h.GetCompiledMatcher(nil).Match(ctx, nil, nil, nil)
		conditions := map[string]any{"matches": result.Matches}
		if result.Error != nil {
			conditions["error"] = result.Error.Error()
		}
		line["conditions"] = conditions
	}
	recording.Line("webhook-matches", line)
	return invocation, err
}

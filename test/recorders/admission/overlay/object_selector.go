package object

// Records which objects the tests' selectors select. record.sh gives upstream's method the suffix Unrecorded.

import (
	v1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/recording"
)

func (m *Matcher) MatchObjectSelector(p ObjectSelectorProvider, attr admission.Attributes) (bool, *apierrors.StatusError) {
	matches, err := m.matchObjectSelectorUnrecorded(p, attr)
	if accessor, ok := p.(interface {
		GetValidatingWebhook() (*v1.ValidatingWebhook, bool)
	}); ok && recording.In("object") {
		hook, _ := accessor.GetValidatingWebhook()
		recording.Line("object-selectors", map[string]any{"webhook": hook, "attributes": recording.Attributes(attr, nil), "matches": matches})
	}
	return matches, err
}

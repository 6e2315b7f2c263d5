package namespace

// Records the labels that namespace selectors see. record.sh gives upstream's method the suffix Unrecorded.

import (
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/recording"
)

func (m *Matcher) GetNamespaceLabels(attr admission.Attributes) (map[string]string, error) {
	labels, err := m.getNamespaceLabelsUnrecorded(attr)
	if recording.In("namespace") {
		line := map[string]any{"attributes": recording.Attributes(attr, nil), "labels": labels, "error": recording.Answer(err)}
		if stored, err := m.NamespaceLister.Get(attr.GetNamespace()); err == nil {
			line["stored"] = stored
		}
		recording.Line("namespace-labels", line)
	}
	return labels, err
}

package matching

// Records which requests the tests' criteria select. record.sh gives upstream's Matches the suffix Unrecorded.

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/recording"
)

func (m *Matcher) Matches(attr admission.Attributes, o admission.ObjectInterfaces, criteria MatchCriteria) (bool, schema.GroupVersionResource, schema.GroupVersionKind, error) {
	matches, resource, kind, err := m.matchesUnrecorded(attr, o, criteria)
	if recording.In("matching") {
		line := map[string]any{"criteria": criteria.GetMatchResources(), "attributes": recording.Attributes(attr, o), "error": recording.Answer(err)}
		if matches {
			line["match"] = recording.Match(resource, kind)
		}
		recording.Line("match-resources", line)
	}
	return matches, resource, kind, err
}

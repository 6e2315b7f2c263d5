package rules

// Records the parts of rules that the package's tests ask for. record.sh gives upstream's methods the suffix Unrecorded.

import "k8s.io/apiserver/pkg/admission/recording"

func (r *Matcher) recorded(part string, matches bool) bool {
	if recording.In("rules") {
		recording.Line("rules", map[string]any{"part": part, "rule": r.Rule, "attributes": recording.Attributes(r.Attr, nil), "matches": matches})
	}
	return matches
}

func (r *Matcher) scope() bool     { return r.recorded("scope", r.scopeUnrecorded()) }
func (r *Matcher) group() bool     { return r.recorded("group", r.groupUnrecorded()) }
func (r *Matcher) version() bool   { return r.recorded("version", r.versionUnrecorded()) }
func (r *Matcher) operation() bool { return r.recorded("operation", r.operationUnrecorded()) }
func (r *Matcher) resource() bool  { return r.recorded("resource", r.resourceUnrecorded()) }

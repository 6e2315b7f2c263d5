// Package recording writes down what upstream's tests of admission ask and what they are answered. This
// file describes it, and ../../recording has the lines; record.sh adds both to a copy of k8s.io/apiserver as
// pkg/admission/recording.
package recording

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	auditinternal "k8s.io/apiserver/pkg/apis/audit"
	"k8s.io/apiserver/pkg/warning"
)

// In says whether the tests of this package are running.
func In(name string) bool {
	return strings.TrimSuffix(filepath.Base(os.Args[0]), ".test") == name
}

func resource(r schema.GroupVersionResource) map[string]any {
	return map[string]any{"group": r.Group, "version": r.Version, "resource": r.Resource}
}

func kind(k schema.GroupVersionKind) map[string]any {
	return map[string]any{"group": k.Group, "version": k.Version, "kind": k.Kind}
}

// Match is the resource and kind in which a hook sees a request.
func Match(r schema.GroupVersionResource, k schema.GroupVersionKind) map[string]any {
	return map[string]any{"resource": resource(r), "kind": kind(k)}
}

// Plain is an object as it is now; whoever has it may change it later.
func Plain(object any) json.RawMessage {
	text, err := json.Marshal(object)
	if err != nil {
		panic(err)
	}
	return text
}

// Attributes describes a request.
func Attributes(a admission.Attributes, o admission.ObjectInterfaces) map[string]any {
	line := Match(a.GetResource(), a.GetKind())
	line["operation"], line["subresource"] = a.GetOperation(), a.GetSubresource()
	line["namespace"], line["name"], line["dryRun"] = a.GetNamespace(), a.GetName(), a.IsDryRun()
	for name, object := range map[string]runtime.Object{"object": a.GetObject(), "oldObject": a.GetOldObject(), "options": a.GetOperationOptions()} {
		if object != nil {
			line[name] = Plain(object)
		}
	}
	if u := a.GetUserInfo(); u != nil {
		line["user"] = map[string]any{"name": u.GetName(), "uid": u.GetUID(), "groups": u.GetGroups(), "extra": u.GetExtra()}
	}
	if o != nil && o.GetEquivalentResourceMapper() != nil {
		equivalents := []any{}
		for _, r := range o.GetEquivalentResourceMapper().EquivalentResourcesFor(a.GetResource(), a.GetSubresource()) {
			equivalents = append(equivalents, Match(r, o.GetEquivalentResourceMapper().KindFor(r, a.GetSubresource())))
		}
		line["equivalents"] = equivalents
	}
	return line
}

// Answer is a Status as clients get it, or the text of another error; nil for none.
func Answer(err error) any {
	if err == nil {
		return nil
	}
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		answer := status.Status()
		answer.Kind, answer.APIVersion = "Status", "v1"
		return answer
	}
	return err.Error()
}

// Noted notes the annotations that a request gets.
type Noted struct {
	admission.Attributes
	lock        sync.Mutex
	annotations map[string]string
}

func (n *Noted) AddAnnotation(key, value string) error {
	return n.AddAnnotationWithLevel(key, value, auditinternal.LevelMetadata)
}

func (n *Noted) AddAnnotationWithLevel(key, value string, level auditinternal.Level) error {
	n.lock.Lock()
	defer n.lock.Unlock()
	err := n.Attributes.AddAnnotationWithLevel(key, value, level)
	if err == nil {
		if n.annotations == nil {
			n.annotations = map[string]string{}
		}
		n.annotations[key] = value
	}
	return err
}

// Annotations are those that the request has got.
func (n *Noted) Annotations() map[string]string {
	n.lock.Lock()
	defer n.lock.Unlock()
	return maps.Clone(n.annotations)
}

// Warnings notes the warnings of a request, and passes them on.
type Warnings struct {
	outer context.Context
	Texts []string
}

// WithWarnings makes a context whose warnings are noted.
func WithWarnings(ctx context.Context) (context.Context, *Warnings) {
	w := &Warnings{outer: ctx, Texts: []string{}}
	return warning.WithWarningRecorder(ctx, w), w
}

func (w *Warnings) AddWarning(agent, text string) {
	w.Texts = append(w.Texts, text)
	warning.AddWarning(w.outer, agent, text)
}

// Prints what the published Kubernetes modules answer for the inputs in inputs.json, as one JSON document.
package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"time"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/duration"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

type inputs struct {
	Quantities     []string          `json:"quantities"`
	QuantityPairs  [][2]string       `json:"quantityPairs"`
	LabelSelectors []string          `json:"labelSelectors"`
	FieldSelectors []string          `json:"fieldSelectors"`
	Names          []string          `json:"names"`
	Times          []string          `json:"times"`
	MicroTimes     []string          `json:"microTimes"`
	Durations      []string          `json:"durations"`
	Base64         []string          `json:"base64"`
	HumanSeconds   []int64           `json:"humanSeconds"`
	Quoted         []string          `json:"quoted"`
	Metas          []json.RawMessage `json:"metas"`
	MetaUpdates    []struct {
		New json.RawMessage `json:"new"`
		Old json.RawMessage `json:"old"`
	} `json:"metaUpdates"`
	JSONPatches  []patchCase `json:"jsonPatches"`
	MergePatches []patchCase `json:"mergePatches"`
	Strategic    []patchCase `json:"strategic"`
}

type patchCase struct {
	Name  string          `json:"name"`
	Kind  string          `json:"kind"`
	Doc   json.RawMessage `json:"doc"`
	Patch json.RawMessage `json:"patch"`
}

type answer struct {
	Value any    `json:"value,omitempty"`
	Error string `json:"error,omitempty"`
}

func answerOf(value any, err error) answer {
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Value: value}
}

func quantity(text string) any {
	q, err := resource.ParseQuantity(text)
	if err != nil {
		return answer{Error: err.Error()}
	}
	encoded, _ := json.Marshal(q)
	var printed string
	_ = json.Unmarshal(encoded, &printed)
	whole, ok := q.AsInt64()
	fresh := resource.MustParse(text)
	canonical, suffix := fresh.CanonicalizeBytes(nil)
	return map[string]any{
		"text": printed, "canonical": string(canonical) + string(suffix), "value": fmt.Sprint(q.Value()), "milli": fmt.Sprint(q.MilliValue()),
		"int64": fmt.Sprint(whole), "isInt64": ok, "float": q.AsApproximateFloat64(),
	}
}

func quantityPair(pair [2]string) any {
	a, b := resource.MustParse(pair[0]), resource.MustParse(pair[1])
	sum, difference := a.DeepCopy(), a.DeepCopy()
	sum.Add(b)
	difference.Sub(b)
	return map[string]any{"compare": a.Cmp(b), "sum": sum.String(), "difference": difference.String()}
}

func name(text string) any {
	return map[string][]string{
		"label": validation.IsDNS1123Label(text), "subdomain": validation.IsDNS1123Subdomain(text),
		"dns1035": validation.IsDNS1035Label(text), "qualified": validation.IsQualifiedName(text),
		"labelValue": validation.IsValidLabelValue(text), "wildcard": validation.IsWildcardDNS1123Subdomain(text),
		"underscore": validation.IsDNS1123SubdomainWithUnderscore(text), "cIdentifier": validation.IsCIdentifier(text),
		"envVar": validation.IsEnvVarName(text), "relaxedEnvVar": validation.IsRelaxedEnvVarName(text),
		"configKey": validation.IsConfigMapKey(text), "percent": validation.IsValidPercent(text),
		"header": validation.IsHTTPHeaderName(text), "portName": validation.IsValidPortName(text),
		"namePrefix": apivalidation.NameIsDNSSubdomain(text, true), "labelPrefix": apivalidation.NameIsDNSLabel(text, true),
	}
}

func meta(raw json.RawMessage) metav1.ObjectMeta {
	var m metav1.ObjectMeta
	if err := json.Unmarshal(raw, &m); err != nil {
		panic(err)
	}
	return m
}

func invalidStatus(errs field.ErrorList) any {
	return apierrors.NewInvalid(schema.GroupKind{Kind: "ConfigMap"}, "x", errs).Status()
}

func strategic(c patchCase) answer {
	var target any = &corev1.Pod{}
	switch c.Kind {
	case "Service":
		target = &corev1.Service{}
	case "Deployment":
		target = &appsv1.Deployment{}
	case "ConfigMap":
		target = &corev1.ConfigMap{}
	}
	out, err := strategicpatch.StrategicMergePatch(c.Doc, c.Patch, target)
	return answerOf(json.RawMessage(out), err)
}

func collect[T any](list []T, f func(T) any) []any {
	out := make([]any, 0, len(list))
	for _, item := range list {
		out = append(out, f(item))
	}
	return out
}

func main() {
	var in inputs
	if err := json.NewDecoder(os.Stdin).Decode(&in); err != nil {
		panic(err)
	}
	jsonpatch.AccumulatedCopySizeLimit = 3 * 1024 * 1024
	root := field.NewPath("metadata")
	out := map[string]any{
		"quantities":    collect(in.Quantities, quantity),
		"quantityPairs": collect(in.QuantityPairs, func(p [2]string) any { return quantityPair(p) }),
		"labelSelectors": collect(in.LabelSelectors, func(s string) any {
			selector, err := labels.Parse(s)
			if err != nil {
				return answer{Error: err.Error()}
			}
			return answer{Value: selector.String()}
		}),
		"fieldSelectors": collect(in.FieldSelectors, func(s string) any {
			selector, err := fields.ParseSelector(s)
			if err != nil {
				return answer{Error: err.Error()}
			}
			return answer{Value: selector.String()}
		}),
		"names": collect(in.Names, name),
		"times": collect(in.Times, func(s string) any {
			var t metav1.Time
			raw, _ := json.Marshal(s)
			if err := json.Unmarshal(raw, &t); err != nil {
				return answer{Error: err.Error()}
			}
			encoded, err := json.Marshal(t)
			return answerOf(json.RawMessage(encoded), err)
		}),
		"microTimes": collect(in.MicroTimes, func(s string) any {
			var t metav1.MicroTime
			raw, _ := json.Marshal(s)
			if err := json.Unmarshal(raw, &t); err != nil {
				return answer{Error: err.Error()}
			}
			encoded, err := json.Marshal(t)
			return answerOf(json.RawMessage(encoded), err)
		}),
		"durations": collect(in.Durations, func(s string) any {
			d, err := time.ParseDuration(s)
			return answerOf(d.String(), err)
		}),
		"base64": collect(in.Base64, func(s string) any {
			b, err := base64.StdEncoding.DecodeString(s)
			return answerOf(base64.StdEncoding.EncodeToString(b), err)
		}),
		"humanSeconds": collect(in.HumanSeconds, func(s int64) any { return duration.HumanDuration(time.Duration(s) * time.Second) }),
		"quoted":       collect(in.Quoted, func(s string) any { return fmt.Sprintf("%q", s) }),
		"metas": collect(in.Metas, func(raw json.RawMessage) any {
			m := meta(raw)
			return invalidStatus(apivalidation.ValidateObjectMeta(&m, true, apivalidation.NameIsDNSSubdomain, root))
		}),
		"metaUpdates": collect(in.MetaUpdates, func(c struct {
			New json.RawMessage `json:"new"`
			Old json.RawMessage `json:"old"`
		}) any {
			a, b := meta(c.New), meta(c.Old)
			return invalidStatus(apivalidation.ValidateObjectMetaUpdate(&a, &b, root))
		}),
		"jsonPatches": collect(in.JSONPatches, func(c patchCase) any {
			patch, err := jsonpatch.DecodePatch(c.Patch)
			if err != nil {
				return answer{Error: err.Error()}
			}
			out, err := patch.Apply(c.Doc)
			return answerOf(json.RawMessage(out), err)
		}),
		"mergePatches": collect(in.MergePatches, func(c patchCase) any {
			out, err := jsonpatch.MergePatch(c.Doc, c.Patch)
			return answerOf(json.RawMessage(out), err)
		}),
		"strategic": collect(in.Strategic, func(c patchCase) any { return strategic(c) }),
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(out); err != nil {
		panic(err)
	}
}

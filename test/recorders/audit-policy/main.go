// Records what upstream's reader says of texts of audit policies, and what its evaluator decides about requests by
// random policies (always the same ones).
//
//	cd test/recorders && go run ./audit-policy > ../../shared/audit/policy/testdata/recorded.json
package main

import (
	"encoding/json"
	"math/rand"
	"os"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/serializer"
	auditinternal "k8s.io/apiserver/pkg/apis/audit"
	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"
	"k8s.io/apiserver/pkg/audit"
	"k8s.io/apiserver/pkg/audit/policy"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
)

type read struct {
	Text string `json:"text"`
	// Why strict decoding failed, where lenient decoding follows.
	Strict string `json:"strict,omitempty"`
	Error  string `json:"error,omitempty"`
}

type request struct {
	User              string   `json:"user"`
	Groups            []string `json:"groups"`
	Verb              string   `json:"verb"`
	IsResourceRequest bool     `json:"isResourceRequest"`
	Group             string   `json:"group"`
	Resource          string   `json:"resource"`
	Subresource       string   `json:"subresource"`
	Namespace         string   `json:"namespace"`
	Name              string   `json:"name"`
	Path              string   `json:"path"`
}

type decided struct {
	Policy json.RawMessage `json:"policy"`
	// "Level omitted,stages omitManagedFields", in the order in which they first occur.
	Outcomes []string `json:"outcomes"`
	// The outcome of each request.
	Decisions []int `json:"decisions"`
}

func main() {
	random := rand.New(rand.NewSource(1))
	requests := requests(random)
	var policies []decided
	for range 400 {
		policies = append(policies, decide(randomPolicy(random), requests))
	}
	var reads []read
	for _, text := range texts {
		reads = append(reads, readText(text))
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(map[string]any{"requests": requests, "policies": policies, "reads": reads})
	if err != nil {
		panic(err)
	}
}

func readText(text string) read {
	result := read{Text: text}
	strict := serializer.NewCodecFactory(audit.Scheme, serializer.EnableStrict).UniversalDecoder()
	if _, _, err := strict.Decode([]byte(text), nil, &auditinternal.Policy{}); err != nil {
		result.Strict = err.Error()
	}
	if _, err := policy.LoadPolicyFromBytes([]byte(text)); err != nil {
		result.Error = err.Error()
	}
	return result
}

func decide(p auditv1.Policy, requests []request) decided {
	text, err := json.Marshal(p)
	if err != nil {
		panic(err)
	}
	loaded, err := policy.LoadPolicyFromBytes(text)
	if err != nil {
		panic(err)
	}
	evaluator := policy.NewPolicyRuleEvaluator(loaded)
	result := decided{Policy: text}
	for _, r := range requests {
		config := evaluator.EvaluatePolicyRule(attributes(r))
		stages := policy.ConvertStagesToStrings(config.OmitStages)
		slices.Sort(stages)
		outcome := string(config.Level) + " " + strings.Join(slices.Compact(stages), ",") + " keep"
		if config.OmitManagedFields {
			outcome = strings.TrimSuffix(outcome, "keep") + "omit"
		}
		at := slices.Index(result.Outcomes, outcome)
		if at < 0 {
			at = len(result.Outcomes)
			result.Outcomes = append(result.Outcomes, outcome)
		}
		result.Decisions = append(result.Decisions, at)
	}
	return result
}

func attributes(r request) authorizer.Attributes {
	return authorizer.AttributesRecord{
		User:            &user.DefaultInfo{Name: r.User, Groups: r.Groups},
		Verb:            r.Verb,
		ResourceRequest: r.IsResourceRequest,
		APIGroup:        r.Group,
		Resource:        r.Resource,
		Subresource:     r.Subresource,
		Namespace:       r.Namespace,
		Name:            r.Name,
		Path:            r.Path,
	}
}

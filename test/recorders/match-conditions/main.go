// Records what upstream's matcher of match conditions says of every sequence of up to three conditions that are true,
// false, fail, do not compile or cost too much, under both failure policies, and of conditions that read the request.
//
//	cd test/recorders && go run ./match-conditions > ../../shared/admission/expressions/testdata/match-conditions.json
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	v1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/cel/environment"
)

type recorded struct {
	Conditions    []v1.MatchCondition `json:"conditions"`
	FailurePolicy string              `json:"failurePolicy"`
	Matches       bool                `json:"matches"`
	Condition     string              `json:"condition,omitempty"`
	Error         string              `json:"error,omitempty"`
}

// Expressions by what becomes of them.
var kinds = []string{
	"true",
	"object.metadata.name == 'other'",
	"object.metadata.labels.missing == 'x'",
	"object.metadata.name",
	"authorizer.path('/a').check('get').allowed() || authorizer.path('/b').check('get').allowed() || authorizer.path('/c').check('get').allowed()",
}

// Conditions about a deployment: what Go prints of its type is there, and nothing else.
var reads = []string{
	"has(object.status)",
	"has(object.spec.strategy)",
	"object.spec.strategy == {}",
	"has(object.spec.replicas)",
	"has(object.spec.template.metadata.creationTimestamp)",
	"has(object.metadata.creationTimestamp)",
	"has(object.spec.template.spec.containers[0].resources)",
	"!has(object.spec.template.spec.containers[0].resources.limits)",
	"object.spec.template.spec.containers[0].ports[0].containerPort == 0",
	"has(object.spec.template.spec.containers[0].ports[0].hostPort)",
	"object.spec.template.spec.containers.size() == 2",
	"object.spec.template.spec.containers[1].size() == 2",
	"object.spec.template.spec.containers[1].image == ''",
	"object.spec.selector == null",
	"object.spec.size() == 3",
	"object.size() == 5",
	"object.kind == 'Deployment' && object.apiVersion == 'apps/v1'",
	"oldObject == null",
	"namespaceObject == null",
	"request.operation == 'CREATE' && request.kind.kind == 'Deployment' && request.resource.resource == 'deployments'",
	"request.requestKind.version == 'v1' && request.requestResource.group == 'apps'",
	"has(request.subResource) || has(request.requestSubResource)",
	"request.name == 'd' && request.namespace == 'n' && request.dryRun",
	"request.userInfo.username == 'u' && request.userInfo.groups == ['a', 'b'] && request.userInfo.extra['k'] == ['v']",
	"has(request.userInfo.uid)",
	"request.options.kind == 'CreateOptions' && request.options.fieldManager == 'm'",
	"dyn(request).size() == 13",
	"dyn(request).map(k, k).exists(k, k == 'uid')",
	"authorizer.group('apps').resource('deployments').check('create').allowed()",
	"authorizer.requestResource.check('create').reason() == 'create apps/*/deployments// n/d by u'",
	"authorizer.path('/healthz').check('get').reason() == 'get /healthz by u'",
	"authorizer.serviceAccount('n', 's').path('/healthz').check('get').reason() == 'get /healthz by system:serviceaccount:n:s'",
	"authorizer.group('apps').resource('deployments').check('break').error() == 'broken'",
	"variables.x == 1",
	"params == null",
}

// Allows to create; its reason tells the question.
type answers struct{}

func (answers) Authorize(_ context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
	reason := a.GetVerb() + " " + a.GetPath() + " by " + a.GetUser().GetName()
	if a.IsResourceRequest() {
		reason = fmt.Sprintf("%s %s/%s/%s/%s/ %s/%s by %s", a.GetVerb(), a.GetAPIGroup(), a.GetAPIVersion(), a.GetResource(),
			a.GetSubresource(), a.GetNamespace(), a.GetName(), a.GetUser().GetName())
	}
	switch a.GetVerb() {
	case "create":
		return authorizer.DecisionAllow, reason, nil
	case "break":
		return authorizer.DecisionNoOpinion, reason, fmt.Errorf("broken")
	}
	return authorizer.DecisionNoOpinion, reason, nil
}

func attributes() *admission.VersionedAttributes {
	kind := appsv1.SchemeGroupVersion.WithKind("Deployment")
	deployment := &appsv1.Deployment{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"},
		ObjectMeta: metav1.ObjectMeta{Name: "d", Namespace: "n", Labels: map[string]string{"a": "b"}},
		Spec: appsv1.DeploymentSpec{Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{
			{Name: "c", Ports: []corev1.ContainerPort{{}}},
			{Name: "e"},
		}}}},
	}
	yes := true
	options := &metav1.CreateOptions{TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "CreateOptions"}, FieldManager: "m"}
	return &admission.VersionedAttributes{
		Attributes: admission.NewAttributesRecord(deployment, nil, kind, "n", "d", appsv1.SchemeGroupVersion.WithResource("deployments"), "",
			admission.Create, options, yes, &user.DefaultInfo{Name: "u", Groups: []string{"a", "b"}, Extra: map[string][]string{"k": {"v"}}}),
		VersionedObject: runtime.Object(deployment),
		VersionedKind:   kind,
	}
}

func match(texts []string, policy v1.FailurePolicyType) recorded {
	answer := recorded{FailurePolicy: string(policy), Conditions: []v1.MatchCondition{}}
	accessors := []cel.ExpressionAccessor{}
	for i, text := range texts {
		condition := v1.MatchCondition{Name: fmt.Sprint("c", i), Expression: text}
		answer.Conditions = append(answer.Conditions, condition)
		accessors = append(accessors, (*matchconditions.MatchCondition)(&condition))
	}
	compiler := cel.NewConditionCompiler(environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()))
	compiled := compiler.CompileCondition(accessors, cel.OptionalVariableDeclarations{HasAuthorizer: true}, environment.StoredExpressions)
	matcher := matchconditions.NewMatcher(compiled, &policy, "webhook", "validating", "test")
	result := matcher.Match(context.Background(), attributes(), nil, answers{})
	answer.Matches, answer.Condition = result.Matches, result.FailedConditionName
	if result.Error != nil {
		answer.Error = result.Error.Error()
	}
	return answer
}

func main() {
	all := []recorded{}
	for _, policy := range []v1.FailurePolicyType{v1.Fail, v1.Ignore} {
		for _, a := range kinds {
			all = append(all, match([]string{a}, policy))
			for _, b := range kinds {
				all = append(all, match([]string{a, b}, policy))
				for _, c := range kinds {
					all = append(all, match([]string{a, b, c}, policy))
				}
			}
		}
	}
	for _, text := range reads {
		all = append(all, match([]string{text}, v1.Fail))
	}
	fmt.Print("[\n")
	for i, answer := range all {
		line, err := json.Marshal(answer)
		if err != nil {
			panic(err)
		}
		if i > 0 {
			fmt.Print(",\n")
		}
		os.Stdout.Write(line)
	}
	fmt.Print("\n]\n")
}

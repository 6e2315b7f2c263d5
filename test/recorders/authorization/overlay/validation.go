package validation

// Records the errors of the tests' AuthorizationConfigurations and match conditions. record.sh gives upstream's functions the
// suffix Unrecorded.

import (
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"
	api "k8s.io/apiserver/pkg/apis/apiserver"
	authorizationcel "k8s.io/apiserver/pkg/authorization/cel"
	"k8s.io/apiserver/pkg/authorization/recording"
)

func ValidateAuthorizationConfiguration(compiler authorizationcel.Compiler, fldPath *field.Path, c *api.AuthorizationConfiguration, knownTypes sets.Set[string], repeatableTypes sets.Set[string]) field.ErrorList {
	errors := validateAuthorizationConfigurationUnrecorded(compiler, fldPath, c, knownTypes, repeatableTypes)
	recording.Line("configurations", map[string]any{
		"configuration": c, "known": sets.List(knownTypes), "repeatable": sets.List(repeatableTypes), "errors": recording.Texts(errors),
	})
	return errors
}

func ValidateAndCompileMatchConditions(compiler authorizationcel.Compiler, matchConditions []api.WebhookMatchCondition) (*authorizationcel.CELMatcher, field.ErrorList) {
	matcher, errors := validateAndCompileMatchConditionsUnrecorded(compiler, matchConditions)
	recording.Line("conditions", map[string]any{"conditions": matchConditions, "errors": recording.Texts(errors)})
	return matcher, errors
}

package validation

// Records the errors of the tests' AuthenticationConfigurations and their parts. record.sh gives upstream's functions the suffix
// Unrecorded.

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"
	api "k8s.io/apiserver/pkg/apis/apiserver"
	authenticationcel "k8s.io/apiserver/pkg/authentication/cel"
	"k8s.io/apiserver/pkg/authentication/recording"
)

func ValidateAuthenticationConfiguration(compiler authenticationcel.Compiler, c *api.AuthenticationConfiguration, disallowedIssuers []string) field.ErrorList {
	errors := validateAuthenticationConfigurationUnrecorded(compiler, c, disallowedIssuers)
	recording.Line("configurations", map[string]any{
		"configuration": recording.Configuration(c), "disallowed": disallowedIssuers, "errors": recording.Texts(errors),
	})
	return errors
}

// part records what a test asks of one part; the fields of whole configurations begin otherwise.
func part(name string, fldPath *field.Path, disallowed sets.Set[string], authenticator api.JWTAuthenticator, errors field.ErrorList) field.ErrorList {
	if strings.HasPrefix(fldPath.String(), "issuer") {
		recording.Line("parts", map[string]any{
			"part": name, "configuration": recording.Authenticator(authenticator), "disallowed": sets.List(disallowed),
			"errors": recording.Texts(errors),
		})
	}
	return errors
}

func validateIssuerURL(issuerURL string, disallowed sets.Set[string], fldPath *field.Path) field.ErrorList {
	return part("url", fldPath, disallowed, api.JWTAuthenticator{Issuer: api.Issuer{URL: issuerURL}},
		validateIssuerURLUnrecorded(issuerURL, disallowed, fldPath))
}

func validateIssuerDiscoveryURL(issuerURL, discoveryURL string, fldPath *field.Path, enabled bool) field.ErrorList {
	errors := validateIssuerDiscoveryURLUnrecorded(issuerURL, discoveryURL, fldPath, enabled)
	if !enabled {
		return errors
	}
	return part("discoveryURL", fldPath, nil, api.JWTAuthenticator{Issuer: api.Issuer{URL: issuerURL, DiscoveryURL: discoveryURL}}, errors)
}

func validateAudiences(audiences []string, policy api.AudienceMatchPolicyType, fldPath, policyPath *field.Path, enabled bool) field.ErrorList {
	errors := validateAudiencesUnrecorded(audiences, policy, fldPath, policyPath, enabled)
	if !enabled {
		return errors
	}
	issuer := api.Issuer{Audiences: audiences, AudienceMatchPolicy: policy}
	return part("audience", fldPath, nil, api.JWTAuthenticator{Issuer: issuer}, errors)
}

func validateCertificateAuthority(authority string, fldPath *field.Path) field.ErrorList {
	return part("certificateAuthority", fldPath, nil, api.JWTAuthenticator{Issuer: api.Issuer{CertificateAuthority: authority}},
		validateCertificateAuthorityUnrecorded(authority, fldPath))
}

func validateClaimValidationRules(compiler authenticationcel.Compiler, state *validationState, rules []api.ClaimValidationRule, fldPath *field.Path, enabled bool) field.ErrorList {
	errors := validateClaimValidationRulesUnrecorded(compiler, state, rules, fldPath, enabled)
	if !enabled {
		return errors
	}
	return part("claimValidationRules", fldPath, nil, api.JWTAuthenticator{ClaimValidationRules: rules}, errors)
}

func validateClaimMappings(compiler authenticationcel.Compiler, state *validationState, m api.ClaimMappings, fldPath *field.Path, enabled bool) field.ErrorList {
	verified := state.usesEmailVerifiedClaim
	errors := validateClaimMappingsUnrecorded(compiler, state, m, fldPath, enabled)
	// Some tests say of rules that they are not given that they use the claim.
	if !enabled || verified {
		return errors
	}
	return part("claimMappings", fldPath, nil, api.JWTAuthenticator{ClaimMappings: m}, errors)
}

func validateUserValidationRules(compiler authenticationcel.Compiler, state *validationState, rules []api.UserValidationRule, fldPath *field.Path, enabled bool) field.ErrorList {
	errors := validateUserValidationRulesUnrecorded(compiler, state, rules, fldPath, enabled)
	if !enabled {
		return errors
	}
	return part("userValidationRules", fldPath, nil, api.JWTAuthenticator{UserValidationRules: rules}, errors)
}

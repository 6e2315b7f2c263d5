package validation

// Schemas with rules that the package's own tests validate, with what is wrong with them, as JSON lines in
// $RULES_RECORDING. record.sh adds this file to a copy of k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation and
// gives the function that is called here in place of the original the suffix Unrecorded.

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"regexp"
	"sort"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/cel/environment"
)

var (
	recordLock sync.Mutex
	typeNumber = regexp.MustCompile(`selfType\d+`)
)

// What is validated of the schema of a version, or of all, as Kubernetes does it, and write it down.
func validateCustomResourceDefinitionValidation(ctx context.Context, validation *apiextensions.CustomResourceValidation, statusSubresourceEnabled bool, opts validationOptions, fldPath *field.Path) field.ErrorList {
	var schema json.RawMessage
	if validation != nil && validation.OpenAPIV3Schema != nil && opts.requireStructuralSchema && os.Getenv("RULES_RECORDING") != "" {
		schema = asClientsSeeIt(validation.OpenAPIV3Schema)
	}
	errs := validateCustomResourceDefinitionValidationUnrecorded(ctx, validation, statusSubresourceEnabled, opts, fldPath)
	// Some tests have functions of their own, or an older release's environment.
	if !bytes.Contains(schema, []byte("x-kubernetes-validations")) || opts.celEnvironmentSet != environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()) {
		return errs
	}
	texts := []string{}
	for _, err := range errs {
		texts = append(texts, string(err.Type)+" | "+typeNumber.ReplaceAllString(err.Error(), "selfType"))
	}
	sort.Strings(texts)
	line := map[string]any{"definition": schema, "errors": texts, "path": fldPath.String(), "status": statusSubresourceEnabled, "sameSchema": opts.suppressPerExpressionCost}
	line["expressions"] = sets.List(opts.preexistingExpressions.rules)
	line["messageExpressions"] = sets.List(opts.preexistingExpressions.messageExpressions)
	text, err := json.Marshal(line)
	if err != nil {
		panic(err)
	}
	recordLock.Lock()
	defer recordLock.Unlock()
	out, err := os.OpenFile(os.Getenv("RULES_RECORDING"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		panic(err)
	}
	defer out.Close()
	if _, err := out.Write(append(text, '\n')); err != nil {
		panic(err)
	}
	return errs
}

func asClientsSeeIt(schema *apiextensions.JSONSchemaProps) json.RawMessage {
	out := v1.JSONSchemaProps{}
	if err := v1.Convert_apiextensions_JSONSchemaProps_To_v1_JSONSchemaProps(schema, &out, nil); err != nil {
		return nil
	}
	text, err := json.Marshal(out)
	if err != nil {
		return nil
	}
	return text
}
